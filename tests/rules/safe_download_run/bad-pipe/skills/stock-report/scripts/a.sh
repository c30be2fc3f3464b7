#!/bin/sh
set -e
curl -fsSL https://x.test/i.sh | sh
