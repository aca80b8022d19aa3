/** Alert rules and dashboard query only metrics that the product serves. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorWithoutValues } from '#server/platform/monitoring/log.ts';
import {
  closeMetrics,
  count,
  metricsText,
  openMetrics,
  registerMeasurement,
} from '#server/platform/monitoring/metrics.ts';
import { shapeOf } from '#server/platform/monitoring/statement-shape.ts';

const folder = path.resolve(import.meta.dirname, '../../server/deploy/monitoring');
const textOf = (file: string) => readFileSync(path.join(folder, file), 'utf8');

/** Type of each metric by name, from its `# TYPE` line. */
let served: Map<string, string>;
beforeAll(async () => {
  await openMetrics();
  const { text } = await metricsText();
  served = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
});
afterAll(closeMetrics);

/** True if a metric is served; series of a histogram count by their suffix. */
const isServed = (name: string) =>
  served.has(name) || served.get(name.replace(/_(?:bucket|sum|count)$/, '')) === 'histogram';

const namesIn = (text: string) => [...new Set(text.match(/\b(?:lectern|process|nodejs)_[a-z0-9_]+\b/g))];

describe('the monitoring files', () => {
  it.each(['alerts.yaml', 'dashboard.json', 'README.md'])('mention only served metrics: %s', (file) => {
    const names = namesIn(textOf(file)).filter((name) => !/_$/.test(name));
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !isServed(name))).toEqual([]);
  });

  it('explain every metric of ours', () => {
    const ours = [...served.keys()].filter((name) => name.startsWith('lectern_'));
    const told = namesIn(textOf('README.md'));
    expect(ours.filter((name) => !told.includes(name))).toEqual([]);
  });

  it('group by existing labels', () => {
    const labels = [
      'instance',
      'check',
      'le',
      'status',
      'route',
      'pool',
      'state',
      'queue',
      'identity',
      'job',
      'outcome',
    ].concat(['kind', 'version', 'engine']);
    const grouped = [...`${textOf('alerts.yaml')}${textOf('dashboard.json')}`.matchAll(/\bby \(([^)]*)\)/g)];
    const used = new Set(grouped.flatMap(([, list = '']) => list.split(/,\s*/)));
    expect([...used].filter((label) => !labels.includes(label))).toEqual([]);
  });

  it('can query a counter after its first count', async () => {
    count('grades', { kind: 'exam' }, 3);
    expect((await metricsText()).text).toContain('lectern_grades_saved_total{kind="exam"} 3');
  });

  it('find no value that is unknown', async () => {
    expect((await metricsText()).text).not.toMatch(/^lectern_backup_age_seconds /m);
    const end = registerMeasurement('backup', (set) => set('backupAge', 60));
    expect((await metricsText()).text).toContain('lectern_backup_age_seconds 60');
    end();
    expect((await metricsText()).text).not.toMatch(/^lectern_backup_age_seconds /m);
  });
});

describe('the log', () => {
  it('has no row values in a database error', () => {
    const error = Object.assign(new Error('invalid input syntax for type bigint: "张三 13800000001"'), {
      code: '22P02',
      detail: 'Key (mobile)=(13800000001) already exists.',
      where: 'unnamed portal parameter $1 = 张三',
    });
    const told = errorWithoutValues(error);
    expect(JSON.stringify(told)).not.toMatch(/张三|13800000001/);
    expect(told).toMatchObject({ code: '22P02', message: 'invalid input syntax for type bigint' });
  });

  it('has no part of a text that failed to parse as JSON', () => {
    for (const text of ['张三 13800000001', '{"name":张三}', '{"name":"张三"}, 1']) {
      let error: unknown;
      try {
        JSON.parse(text);
      } catch (thrown) {
        error = thrown;
      }
      expect(JSON.stringify(errorWithoutValues(error))).not.toMatch(/张三|张|1380/);
      expect(errorWithoutValues(error)).toMatchObject({ type: 'SyntaxError' });
    }
  });

  it('has statements without their literals', () => {
    expect(shapeOf("select 'it''s 张三', id from student where name = 'x'", 60)).toBe(
      'select ?, id from student where name = ?',
    );
  });
});
