"""Targets x rules x configuration to findings: check, suppress, baseline, fix, findings of other tools."""
