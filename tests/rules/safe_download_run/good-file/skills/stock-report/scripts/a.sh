curl -fsSLo i.sh https://x.test/i.sh
sha256sum -c sums && sh i.sh
