// Builds server/deploy/Containerfile from the archive in release/ and starts it like a container: read-only, one
// volume, not as root. Uses buildah if it is installed and has the base image; else runs the file's steps by chroot in
// a folder with this machine's Debian programs. Prints which way it took.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const file = 'server/deploy/Containerfile';
const began = Date.now();
const scratch = mkdtempSync(path.join(tmpdir(), 'image-'));
const run = (program, args, options = {}) =>
  execFileSync(program, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', ...options });
const fail = (sentence) => {
  throw new Error(sentence);
};

/** @returns {{ root: string, settings: Record<string, any> }} root folder and start settings */
function build() {
  const settings = { env: {}, user: '', volume: '', workdir: '/', entrypoint: [], cmd: [], healthcheck: [] };
  const base = mkdtempSync(path.join(scratch, 'base-'));
  copyDebian(base);
  const stages = {};
  let root = '';
  const text = readFileSync(file, 'utf8')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ');
  for (const line of text.split('\n').filter(Boolean)) {
    const [, word = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
    if (word === 'ARG') continue;
    if (word === 'FROM') {
      root = mkdtempSync(path.join(scratch, 'stage-'));
      cpSync(base, root, { recursive: true, verbatimSymlinks: true });
      chmodSync(root, 0o755);
      const [, name] = / AS (\w+)/.exec(rest) ?? [];
      if (name) stages[name] = root;
    } else if (word === 'COPY') {
      const [, from, source = '', target = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest) ?? fail(`COPY ${rest}`);
      const found = from ? [path.join(stages[from], source)] : globSync(source);
      if (found.length !== 1) fail(`COPY ${source}: ${found.length} files`);
      mkdirSync(path.dirname(path.join(root, target)), { recursive: true });
      run('cp', ['-a', found[0], path.join(root, target)]);
    } else if (word === 'RUN' && /^apt-get /.test(rest)) {
      const [, name] = /--no-install-recommends (\S+) &&/.exec(rest) ?? fail(`RUN ${rest}`);
      for (const program of programsOf[name] ?? fail(`${name} is not known here`)) copyProgram(root, program, program);
    } else if (word === 'RUN') run('chroot', [root, '/bin/sh', '-ec', rest]);
    else if (word === 'ENV')
      Object.assign(settings.env, Object.fromEntries(rest.split(' ').map((pair) => pair.split('='))));
    else if (word === 'HEALTHCHECK') settings.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD') + 3));
    else if (word === 'ENTRYPOINT' || word === 'CMD') settings[word.toLowerCase()] = JSON.parse(rest);
    else if (word === 'USER' || word === 'WORKDIR' || word === 'VOLUME') settings[word.toLowerCase()] = rest;
    else if (word !== 'EXPOSE' && word !== 'STOPSIGNAL') fail(`${word} is not known here`);
  }
  return { root, settings };
}

/** Used programs of Debian packages, copied from this machine. */
const programsOf = {
  'postgresql-client': globSync('/usr/lib/postgresql/*/bin/{pg_dump,pg_restore,psql}'),
};

/** Copies a program with its shared libraries. */
function copyProgram(root, program, target) {
  const used = [...run('ldd', [program]).matchAll(/(?:=> )?(\/\S+)/g)].map(([, library]) => library);
  for (const [from, to] of [[program, target], ...used.map((library) => [library, library])]) {
    mkdirSync(path.join(root, path.dirname(to)), { recursive: true });
    copyFileSync(realpathSync(from), path.join(root, to));
  }
}

/** Copies the parts of Debian that the steps and the release's Node need. */
function copyDebian(root) {
  for (const folder of ['bin', 'usr/bin', 'lib', 'etc', 'proc', 'dev', 'var/lib', 'opt'])
    mkdirSync(path.join(root, folder), { recursive: true });
  mkdirSync(path.join(root, 'tmp'), { mode: 0o1777 });
  for (const name of ['passwd', 'group']) writeFileSync(path.join(root, 'etc', name), 'root:x:0:\n');
  const node = realpathSync('node_modules/node/bin/node');
  const programs = ['sh', 'tar', 'gzip', 'mkdir', 'chown', 'chmod', 'touch'].map((name) =>
    run('sh', ['-c', `command -v ${name}`]).trim(),
  );
  for (const program of programs) copyProgram(root, program, path.join('/bin', path.basename(program)));
  copyProgram(root, node, '/tmp/node');
  rmSync(path.join(root, 'tmp/node'));
  run('mknod', ['-m', '666', path.join(root, 'dev/null'), 'c', '1', '3']);
  run('mknod', ['-m', '666', path.join(root, 'dev/urandom'), 'c', '1', '9']);
}

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** Builds with buildah and mounts the image. Undefined without buildah or base image. */
function buildahRoot() {
  if (spawnSync('buildah', ['--version']).status !== 0) return undefined;
  const base = /^ARG DEBIAN=(\S+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const isHere = spawnSync('buildah', ['inspect', '--type', 'image', base]).status === 0;
  const pulled = isHere
    ? { status: 0 }
    : spawnSync('buildah', ['pull', '--retry', '0', base], { encoding: 'utf8', timeout: 30_000 });
  if (pulled.status !== 0) return undefined;
  const image = 'localhost/lectern-ci';
  run('buildah', [
    'bud',
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--ignorefile',
    `${file}.dockerignore`,
    '-f',
    file,
    '-t',
    image,
    '.',
  ]);
  const container = run('buildah', ['from', '--pull-never', image]).trim();
  const { config } = JSON.parse(run('buildah', ['inspect', container])).Docker;
  const settings = {
    env: Object.fromEntries(config.Env.map((pair) => pair.split(/=(.*)/s).slice(0, 2))),
    user: config.User,
    volume: Object.keys(config.Volumes)[0],
    workdir: config.WorkingDir,
    entrypoint: config.Entrypoint,
    cmd: config.Cmd,
    healthcheck: config.Healthcheck.Test.slice(1),
  };
  return { root: run('buildah', ['mount', container]).trim(), settings, drop: () => run('buildah', ['rm', container]) };
}

async function start({ root, settings }) {
  const { env, user, volume, workdir, entrypoint, cmd, healthcheck } = settings;
  if (!/^\d+:\d+$/.test(user) || user.startsWith('0:')) fail(`it would run as ${user}`);
  const port = await freePort();
  const kept = path.join(scratch, 'volume');
  mkdirSync(kept, { mode: 0o700 });
  run('chown', [user, kept]);
  const environment = { ...env, PORT: String(port), HOST: '127.0.0.1' };
  const inside = (args) => ['--userspec', user, root, '/bin/sh', '-c', `cd ${workdir} && exec "$@"`, 'sh', ...args];
  const mounts = `
    mount --bind "$ROOT" "$ROOT" && mount -o remount,bind,ro "$ROOT" && mount --bind "$KEPT" "$ROOT${volume}" &&
    mount -t tmpfs tmpfs "$ROOT/tmp" && mount -t proc proc "$ROOT/proc" || exit 99
    for place in /opt/lectern/written /etc/written; do
      chroot --userspec="$OWNER" "$ROOT" /bin/touch $place 2>/dev/null && exit 98
    done
    exec env -i "$@"`;
  const pairs = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const child = spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      mounts,
      'sh',
      ...pairs,
      '/usr/sbin/chroot',
      ...inside([...entrypoint, ...cmd]),
    ],
    { env: { ...process.env, ROOT: root, KEPT: kept, OWNER: user }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  running = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let isReady = false;
  for (let tries = 0; tries < 600 && child.exitCode === null && !isReady; tries += 1) {
    await pause(100);
    isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  if (!isReady) fail(`it does not become ready (${child.exitCode}): ${output}`);
  const [server] = processesOf(child.pid).filter(({ command }) => command.includes('server/screens.mjs'));
  if (server?.user !== user.split(':')[0]) fail(`it runs as ${server?.user}`);
  const pages = await fetch(`http://127.0.0.1:${port}/login`, { headers: { accept: 'text/html' } });
  if (!pages.ok || (await pages.text()).includes('Teach2026')) fail('it serves a demo school, or no page');
  const [dump] = globSync('usr/lib/postgresql/*/bin/pg_dump', { cwd: root });
  if (!dump || !run('/usr/sbin/chroot', inside([`/${dump}`, '--version'])).includes('PostgreSQL'))
    fail('it has no pg_dump');
  // Runs the health check as a container runtime would.
  run('env', ['-i', ...pairs, '/usr/sbin/chroot', ...inside(healthcheck)]);
  const [first] = processesOf(child.pid).filter(({ command }) => command.includes('commands/start.mjs'));
  process.kill(first.pid, 'SIGTERM');
  const code = await ended;
  if (code !== 0) fail(`it ended with ${code}: ${output}`);
  return kept;
}

/** Descendant processes, as this machine sees them. */
function processesOf(pid) {
  return run('ps', ['-eo', 'pid=,ppid=,uid=,args='])
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([id, parent, user, ...command]) => ({
      pid: Number(id),
      parent: Number(parent),
      user,
      command: command.join(' '),
    }))
    .filter((one, _, all) => {
      for (let at = one; at; at = all.find((other) => other.pid === at.parent)) if (at.parent === pid) return true;
      return false;
    });
}

let built;
/** @type {import('node:child_process').ChildProcess | undefined} */
let running;
try {
  built = buildahRoot();
  console.log(
    built
      ? 'The image was built by buildah.'
      : 'There is no buildah, or no base image for it: the steps of the Containerfile run in a bare root, by chroot.',
  );
  built ??= build();
  const size = run('du', ['-sm', built.root]).split('\t')[0];
  await start(built);
  console.log(
    `The image holds ${size} MB, starts read-only as ${built.settings.user}, is healthy, and ends in order; ${Math.round((Date.now() - began) / 1000)} s.`,
  );
} catch (error) {
  console.error(`The image: ${error.message}`);
  process.exitCode = 1;
} finally {
  if (running?.exitCode === null) {
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  }
  built?.drop?.();
  rmSync(scratch, { recursive: true, force: true });
}
