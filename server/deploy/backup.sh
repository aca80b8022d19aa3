#!/bin/sh
# The school as it is now, while it serves: database, files and session secret, into one folder below $BACKUPS that is named
# after the minute. The database comes first: a file that it names is there before it, and files are never written anew.
# Asks for pg_dump of the server's version or a later one where DATABASE_URL is given. The newest 14 stay.
set -eu
umask 077
root=$(cd "$(dirname "$0")/../.." && pwd)
node=$root/node_modules/node/bin/node
kept=${BACKUPS:?the folder of backups}
place=$kept/$(date +%Y-%m-%dT%H-%M-%S)

# Read as the server reads them: from the environment, from files of secrets, from CONFIG_FILE.
setting() {
  "$node" --import="$root/server/platform/configuration/load.mjs" -e "process.stdout.write(process.env.$1 ?? '')"
}
part() {
  "$node" -e "
    const [part, address] = process.argv.slice(1);
    const url = new URL(address);
    const password = decodeURIComponent(url.password);
    url.password = '';
    process.stdout.write(part === 'password' ? password : url.href);
  " "$1" "$2"
}
data=$(setting VAR_DIR)
data=${data:-var}
database=$(setting DATABASE_URL)

mkdir -p "$place.part"
if [ -n "$database" ]; then
  # The password goes by the environment: arguments are seen by everybody on the machine.
  PGPASSWORD=$(part password "$database") pg_dump --format=custom --file="$place.part/school.dump" \
    --dbname="$(part address "$database")"
else
  "$node" -e "
    const { DatabaseSync } = require('node:sqlite');
    const [from, to] = process.argv.slice(1);
    new DatabaseSync(from, { readOnly: true }).prepare('vacuum into ?').run(to);
  " "$data/school.db" "$place.part/school.db"
fi
[ ! -d "$data/files" ] || tar -C "$data" -cf "$place.part/files.tar" files
[ ! -f "$data/session-secret" ] || cp "$data/session-secret" "$place.part/"
# What has its name is whole.
mv "$place.part" "$place"
echo "$place"
ls -1d "$kept"/????-??-??T??-??-?? | sort -r | tail -n +15 | xargs -r rm -rf
