#!/bin/sh
# Install from Debian what the kits need and this machine lacks; where that cannot be done, say what is missing.
missing=""
for pair in python3:python3 node:nodejs g++:g++ rustc:rustc javac:default-jdk-headless go:golang-go php:php-cli; do
    command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair##*:}"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "== installing$missing from Debian =="
    apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends $missing >/dev/null && exit 0
fi
echo "not here, and only root can install them with apt-get:$missing; their kits are left out"
