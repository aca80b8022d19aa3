import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readQuestions } from '#server/questions/import/formats.ts';

/**
 * Public samples beside the project; they are not part of it. `qti` holds snapshots of github.com/instructure/qti as
 * `instructure-qti` and of github.com/1EdTech/qti-examples as `qti-examples`.
 */
const places = [process.env.QTI_SAMPLES ?? '', '../../../shared/import/qti', '../../../../shared/import/qti'];
const samples = places
  .filter((place) => place !== '')
  .map((place) => resolve(import.meta.dirname, place))
  .find((path) => existsSync(join(path, 'instructure-qti')));
if (!samples) console.log('skips the public QTI samples: there is no ../shared/import/qti beside the project');

/** Reads a file, or a folder as a zip. */
async function readSample(path: string) {
  const whole = join(samples ?? '', path);
  const bytes = statSync(whole).isDirectory() ? zipOf(whole) : readFileSync(whole);
  const preview = await readQuestions([{ name: path.includes('.') ? path : `${path}.zip`, bytes }], {
    savePicture: async () => '/files/1.png',
  });
  if ('refused' in preview) return preview;
  const { questions, leftOut, errors } = preview;
  return {
    format: preview.format,
    types: questions.map(({ draft }) => draft.ques_type).join(''),
    /** Items of the file that are no question, by their messages. */
    others: leftOut.filter(({ where }) => /^第\d+题/.test(where)).map(({ message }) => message),
    errors: errors.map(({ message }) => message),
  };
}

function zipOf(folder: string): Uint8Array {
  const files: Zippable = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[relative(folder, path)] = readFileSync(path);
  }
  return zipSync(files);
}

const fixtures = 'instructure-qti/spec/fixtures';

describe.runIf(samples)('public samples', () => {
  // Counts as in the tests of instructure/qti.
  test.each([
    [`${fixtures}/test_qti_1.2`, 5, '21377'],
    [`${fixtures}/test_qti_1.2_canvas`, 4, '2135'],
    [`${fixtures}/all_canvas_simple_1.2.xml`, 10, '127736675'],
    [`${fixtures}/feedback_quiz_1.2.xml`, 3, undefined],
    [`${fixtures}/test_qti_1.2_multi`, 2, '55'],
    [`${fixtures}/test_imscc_canvas`, 2, undefined],
    [`${fixtures}/test_qti_2.1`, 5, '21375'],
    [`${fixtures}/imsqti_2.2_package`, 1, '1'],
    [`${fixtures}/tests/interactionmix_saxony_v3`, 13, undefined],
  ])('reads every item of %s, or says why not', async (path, items, types) => {
    const read = await readSample(path);
    if ('refused' in read) throw new Error(read.refused);
    expect(read.types.length + read.others.length).toBe(items);
    if (types) expect(read.types).toBe(types);
    expect(read.errors).toEqual([]);
  });

  test('reads the quiz of a cartridge with its bank, without the copy in the profile', async () => {
    const read = await readSample(`${fixtures}/canvas_cartridge`);
    expect(read).toMatchObject({ format: 'imscc', types: expect.stringMatching(/^127736/) });
  });

  test('names what the packages without questions hold', async () => {
    const bank = await readSample(`${fixtures}/test_qti_1.2_bank_entry_item`);
    expect(bank).toMatchObject({ types: '', errors: ['试卷中没有题目；题库未导出'] });
    const none = await readSample(`${fixtures}/unsupported_version`);
    expect(none).toMatchObject({ errors: ['没有识别到题目：压缩包中没有 QTI 文件，只有imsmanifest.xml'] });
  });

  test('reads or names each of the single items', async () => {
    const folders = ['items_1.2', 'items_2.1', 'items_2.2'].map((name) => `${fixtures}/${name}`);
    const files = folders.flatMap((folder) =>
      readdirSync(join(samples ?? '', folder))
        .filter((name) => name.endsWith('.xml'))
        .map((name) => `${folder}/${name}`),
    );
    const silent: string[] = [];
    const damaged: string[] = [];
    for (const file of files) {
      const read = await readSample(file);
      if ('refused' in read) damaged.push(file.slice(fixtures.length + 1));
      else if (read.types === '' && read.others.length === 0 && read.errors.length === 0) silent.push(file);
    }
    expect(silent).toEqual([]);
    // These files are not well-formed.
    expect(damaged).toEqual([
      'items_1.2/fib.xml',
      'items_1.2/fib_str.xml',
      'items_1.2/item_no_title.xml',
      'items_2.2/audio-video.xml',
    ]);
  });

  test.each([
    ['qti-examples/qtiv2p2-examples/items/items.zip', 'qti21', 57],
    ['qti-examples/qtiv3-examples/packaging/BBQsTest/BBQsTest.zip', 'qti30', 22],
    ['qti-examples/qtiv3-examples/packaging/ccPackage/ccPackage.zip', 'qti30', 11],
    ['qti-examples/qtiv3-examples/packaging/englishBasicLevelV2/englishBasicLevelV2.zip', 'qti30', 52],
    ['qti-examples/qtiv3-examples/packaging/interactionMixSaxonyV3/interactionMixSaxonyV3.zip', 'qti30', 13],
  ])('reads every item of %s, or says why not', async (path, format, items) => {
    const read = await readSample(path);
    if ('refused' in read) throw new Error(read.refused);
    expect([read.format, read.types.length + read.others.length, read.errors]).toEqual([format, items, []]);
  });

  test('joins the items that share a text to one material question', async () => {
    const read = await readSample('qti-examples/qtiv3-examples/packaging/sharedStimulus/sharedStimulus.zip');
    expect(read).toMatchObject({ types: '6', others: ['题型“排序题”（orderInteraction）无法导入'] });
  });
});
