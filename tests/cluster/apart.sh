#!/usr/bin/env bash
# Runs a command that has an empty /etc/slurm, where SLURM's programs look for a cluster; nothing else
# on this machine sees it, and nothing of it is left. Without the right to mount, runs it as it is.
set -euo pipefail

if [ "$(id -u)" -eq 0 ] && unshare --mount true 2> /dev/null; then
  exec unshare --mount bash -euc \
    'mkdir -p /etc/slurm; mount -t tmpfs slurm /etc/slurm; exec "$@"' apart "$@"
fi
exec "$@"
