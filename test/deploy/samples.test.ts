/** The samples of server/deploy agree with the server: settings, addresses, limits and times. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { description } from '#server/description.ts';
import { readConfiguration } from '#server/platform/configuration/read.mjs';
import { settingNames } from '#server/platform/configuration/settings.mjs';
import { documentBytes } from '#server/platform/files/rules.ts';

const sample = (file: string) => readFileSync(path.resolve('server/deploy', file), 'utf8');
const isThere = (program: string) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'samples-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Settings of a sample; secret files are created here. */
function faultsOf(given: Record<string, string>): string[] {
  const secrets: Record<string, string> = {
    DATABASE_URL_FILE: 'postgres://lectern:a@database/lectern',
    SESSION_SECRET_FILE: 's'.repeat(40),
    S3_SECRET_KEY_FILE: 'k'.repeat(40),
  };
  const here = Object.entries(given).map(([name, value]) => {
    if (!name.endsWith('_FILE') || name === 'CONFIG_FILE') return [name, value];
    const file = path.join(folder, name);
    writeFileSync(file, secrets[name] ?? '');
    return [name, file];
  });
  const unknown = Object.keys(given).filter(
    (name) => ![...settingNames, ...settingNames.map((one) => `${one}_FILE`)].includes(name as 'PORT'),
  );
  return [...readConfiguration(Object.fromEntries(here)).faults, ...unknown];
}

/** Seconds that a process may need to stop: it drains, then has three seconds to finish requests. */
const leastGrace = (drain: unknown) => Number(drain) + 3;
const served = Object.keys(description.others());

describe('the container image', () => {
  const lines = sample('Containerfile')
    .replace(/^#.*\n/gm, '')
    .split('\n');
  const rest = (word: string) => lines.findLast((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? '';
  const environment = Object.fromEntries(
    rest('ENV')
      .split(' ')
      .map((pair) => pair.split('=')),
  );

  it('has valid settings, and its data folder as the only volume', () => {
    const { HOME, ...settings } = environment;
    expect(faultsOf(settings)).toEqual([]);
    expect([rest('VOLUME'), HOME]).toEqual([settings.VAR_DIR, settings.VAR_DIR]);
    expect(rest('EXPOSE')).toBe(settings.PORT);
  });

  it('runs as an unprivileged user, and has its health check at a served address', () => {
    expect(rest('USER')).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
    expect(served).toContain(/\/\w+z(?=`)/.exec(rest('HEALTHCHECK'))?.[0]);
  });

  it('starts files that exist', () => {
    for (const file of [...JSON.parse(rest('CMD')), 'server/account/staff-command.ts'])
      expect(existsSync(path.resolve(file))).toBe(true);
  });
});

describe('the compose file', () => {
  const compose = parse(sample('compose.yaml'), { merge: true });

  it('gives both processes valid settings, declared secrets and time to stop', () => {
    for (const name of ['app-one', 'app-two']) {
      const app = compose.services[name];
      expect(faultsOf(app.environment)).toEqual([]);
      const mounted = Object.entries<string>(app.environment).filter(([setting]) => setting.endsWith('_FILE'));
      expect(mounted.map(([, file]) => path.basename(file)).sort()).toEqual([...app.secrets].sort());
      expect(Number.parseInt(app.stop_grace_period, 10)).toBeGreaterThan(leastGrace(app.environment.DRAIN_SECONDS));
      expect([app.read_only, app.cap_drop]).toEqual([true, ['ALL']]);
      expect(existsSync(path.resolve('server/deploy', app.build.context, app.build.dockerfile))).toBe(true);
    }
  });

  it('refers only to services, secrets and volumes that it declares', () => {
    const { services, secrets, volumes } = compose;
    for (const service of Object.values<Record<string, string[]>>(services)) {
      for (const secret of service.secrets ?? []) expect(secrets).toHaveProperty([secret]);
      for (const name of Object.keys(service.depends_on ?? {})) expect(services).toHaveProperty([name]);
      for (const volume of service.volumes ?? [])
        if (/^\w/.test(volume)) expect(volumes).toHaveProperty([volume.split(':')[0] as string]);
    }
    expect(services.proxy.environment.UPSTREAMS).toBe('app-one:3000 app-two:3000');
  });
});

describe('the Kubernetes sample', () => {
  const files = readdirSync('server/deploy/kubernetes').filter((file) => file !== 'kustomization.yaml');
  const kustomization = parse(sample('kubernetes/kustomization.yaml'));
  const built = files.flatMap((file) => parseAllDocuments(sample(`kubernetes/${file}`)).map((one) => one.toJSON()));
  const of = (kind: string) => built.find((one) => one.kind === kind);
  const pod = of('Deployment').spec.template.spec;
  const [container] = pod.containers;
  const literals = Object.fromEntries(
    kustomization.configMapGenerator[0].literals.map((one: string) => one.split('=')),
  );

  it('consists of all its files', () => {
    expect(kustomization.resources.toSorted()).toEqual(files.sort());
    if (!isThere('kubectl')) return console.log('There is no kubectl: kubernetes is parsed, and not put together.');
    const whole = execFileSync('kubectl', ['kustomize', 'server/deploy/kubernetes'], { encoding: 'utf8' });
    const kinds = parseAllDocuments(whole).map((one) => one.toJSON().kind);
    expect(kinds.sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Service',
    ]);
  });

  it('has valid settings, and gives a pod time to stop', () => {
    const named = container.env.map(({ name, value }: { name: string; value: string }) => [name, value]);
    expect(faultsOf({ ...literals, ...Object.fromEntries(named) })).toEqual([]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(leastGrace(literals.DRAIN_SECONDS));
    // The process must go on until the pod receives no more requests.
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(Number(literals.DRAIN_SECONDS)).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  it('probes served addresses at the right port', () => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = container;
    expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe.httpGet.path)).toEqual([
      '/readyz',
      '/healthz',
      '/readyz',
    ]);
    expect(served).toEqual(expect.arrayContaining(['/healthz', '/readyz']));
    expect(String(ports[0].containerPort)).toBe(
      container.env.find((one: { name: string }) => one.name === 'PORT').value,
    );
    expect(of('Service').spec.ports[0].targetPort).toBe(ports[0].name);
  });

  it('grants the pod nothing beyond serving', () => {
    const user = Number(/^USER (\d+)/m.exec(sample('Containerfile'))?.[1]);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: user, fsGroup: user });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    const mounts = container.volumeMounts.map(({ name }: { name: string }) => name);
    expect(mounts.sort()).toEqual(pod.volumes.map(({ name }: { name: string }) => name).sort());
    expect(pod.volumes[0].persistentVolumeClaim.claimName).toBe(of('PersistentVolumeClaim').metadata.name);
  });
});

describe('the systemd units', () => {
  const units = ['lectern@.service'];
  const analyses = isThere('systemd-analyze') ? it : it.skip;
  if (analyses === it.skip) console.log('There is no systemd-analyze: the units are read, and not judged by systemd.');

  analyses('pass systemd’s own check', () => {
    mkdirSync(path.join(folder, 'units'));
    for (const unit of units)
      writeFileSync(
        path.join(folder, 'units', unit),
        sample(`systemd/${unit}`).replaceAll('/opt/lectern/current', process.cwd()),
      );
    copyFileSync(path.join(folder, 'units/lectern@.service'), path.join(folder, 'units/lectern@3001.service'));
    const checked = ['lectern@3001.service', ...units.slice(1)].map((unit) => path.join(folder, 'units', unit));
    // Ignores warnings about other units of this machine.
    const said = execFileSync('sh', ['-c', 'systemd-analyze verify --man=no "$@" 2>&1 || true', 'sh', ...checked], {
      encoding: 'utf8',
    });
    expect(said.split('\n').filter((line) => line.includes('lectern'))).toEqual([]);
  });

  analyses.each(units)('have a low exposure: %s', (unit) => {
    const file = path.resolve('server/deploy/systemd', unit);
    const said = execFileSync('systemd-analyze', ['security', '--no-pager', '--offline=yes', file], {
      encoding: 'utf8',
    });
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1])).toBeLessThan(2);
  });

  it('start files that exist, with valid settings and time to stop', () => {
    for (const unit of units) {
      const named = [...sample(`systemd/${unit}`).matchAll(/\/opt\/lectern\/current\/([\w./@-]+)/g)];
      for (const [, file = ''] of named) expect([file, existsSync(path.resolve(file))]).toEqual([file, true]);
    }
    const settings = parseEnv(sample('systemd/school.env')) as Record<string, string>;
    expect(faultsOf(settings)).toEqual([]);
    const [, stop] = /^TimeoutStopSec=(\d+)$/m.exec(sample('systemd/lectern@.service')) ?? [];
    expect(Number(stop)).toBeGreaterThan(leastGrace(settings.DRAIN_SECONDS));
  });
});

describe('the proxy samples', () => {
  it('accept the largest upload that the server accepts', () => {
    const [, nginx] = /client_max_body_size (\d+)m;/.exec(sample('nginx/lectern.conf')) ?? [];
    const [, haproxy] = /req\.body_size gt (\d+)/.exec(sample('haproxy/haproxy.cfg')) ?? [];
    const [, caddy] = /max_size (\d+)MB/.exec(sample('caddy/Caddyfile')) ?? [];
    for (const bytes of [Number(nginx) * 2 ** 20, Number(haproxy), Number(caddy) * 1e6])
      expect(bytes).toBeGreaterThan(documentBytes);
  });
});
