#!/usr/bin/env bash
# Runs a command with a real S3-compatible store: Ceph's gateway from Debian's packages, with its
# data in memory. It is deleted afterwards.
#   scripts/with-bucket.sh COMMAND      with TEST_S3_ENDPOINT, TEST_S3_KEY and TEST_S3_SECRET set
# Needs Debian or Ubuntu, and root. Starts one monitor, one store without a disk and one gateway,
# which take 20 seconds to start and about 185 MB of memory.
set -euo pipefail

[ "$(id -u)" = 0 ] || { echo 'A Ceph for tests needs root.' >&2; exit 1; }
if ! command -v radosgw ceph-mon ceph-osd ceph >/dev/null; then
  apt-get -qq update
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends ceph-mon ceph-osd radosgw ceph-common
fi

home=$(mktemp -d /tmp/test-bucket-XXXXXX)
mkdir "$home"/{mon,osd,run,log}
free_port() { node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'; }
monitor=$(free_port)
gateway=$(free_port)
cluster=$(cat /proc/sys/kernel/random/uuid)

tidy() {
  for daemon in "$home"/run/*.pid; do [ -f "$daemon" ] && kill "$(cat "$daemon")" 2>/dev/null; done
  sleep 1
  for daemon in "$home"/run/*.pid; do [ -f "$daemon" ] && kill -9 "$(cat "$daemon")" 2>/dev/null; done
  rm -rf "$home"
}
trap tidy EXIT

cat > "$home/ceph.conf" <<CONF
[global]
fsid = $cluster
mon host = v2:127.0.0.1:$monitor
auth supported = none
auth cluster required = none
auth service required = none
auth client required = none
# Encryption needs keys.
ms mon client mode = crc
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 1
run dir = $home/run
admin socket = $home/run/\$name.\$pid.asok
pid file = $home/run/\$name.pid
log file = $home/log/\$name.log
[mon.a]
mon data = $home/mon
[osd.0]
osd data = $home/osd
osd objectstore = memstore
memstore device bytes = 1073741824
[client.admin]
rgw frontends = beast endpoint=127.0.0.1:$gateway
CONF
export CEPH_CONF="$home/ceph.conf"

begin() (
  set -e
  monmaptool --create --fsid "$cluster" --addv a "[v2:127.0.0.1:$monitor]" "$home/monmap"
  ceph-mon -i a --mkfs --monmap "$home/monmap"
  ceph-mon -i a
  disk=$(cat /proc/sys/kernel/random/uuid)
  timeout 30 ceph osd new "$disk" 0
  ceph-osd -i 0 --mkfs --osd-uuid "$disk"
  ceph-osd -i 0
  timeout 30 ceph osd crush add osd.0 1.0 root=default host=here
  timeout 30 bash -c 'until ceph osd stat | grep -q "1 up"; do sleep 0.5; done'
  timeout 40 radosgw -n client.admin --pid-file "$home/run/gateway.pid"
  timeout 40 bash -c "until curl -s -o /dev/null 127.0.0.1:$gateway; do sleep 0.5; done"
  timeout 30 radosgw-admin user create --uid=tests --display-name=tests --access-key=tests --secret=tests-secret
)
set +e
begin > "$home/log/start" 2>&1
begun=$?
set -e
[ "$begun" = 0 ] || { cat "$home/log/start" >&2; exit 1; }

TEST_S3_ENDPOINT="http://127.0.0.1:$gateway" TEST_S3_KEY=tests TEST_S3_SECRET=tests-secret "$@"
