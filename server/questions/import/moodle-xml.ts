/** Reads Moodle XML. */
import { DamagedFile } from '#server/platform/office/xml.ts';
import { escapeHtml } from '#server/platform/text/render-math.ts';
import { importHtml, textToHtml } from './foreign-html.ts';
import { categoryName } from './gift.ts';
import type { ImportNote } from './imported-question.ts';
import { emptyMoodleQuestion, type MoodleAnswer, MoodleCollector, type MoodleQuestion } from './moodle-question.ts';
import { childNamed, childrenNamed, DeclaredEntities, type Element, parseXml, textOf } from './qti/tree.ts';
import type { QuestionsReader, ReadingOptions } from './reading.ts';
import { lossMessages, maxImportedQuestions, moodleMessages, previewRefusals } from './rules.ts';

export const readMoodleXmlQuestions: QuestionsReader = async (bytes, { savePicture, onProgress = () => {} } = {}) => {
  const elements: Element[] = [];
  let isDamaged = false;
  try {
    parseXml(bytes, { names: new Set(['question']), take: (element) => elements.push(element) });
  } catch (error) {
    if (error instanceof DeclaredEntities) return { refused: moodleMessages.entities };
    if (!(error instanceof DamagedFile)) throw error;
    isDamaged = true;
  }
  if (elements.length > maxImportedQuestions) return { refused: previewRefusals.tooManyQuestions };
  const collector = new MoodleCollector();
  let category = '';
  let number = 0;
  let place = '文件开头';
  for (const [index, element] of elements.entries()) {
    const type = element.attributes.type ?? '';
    if (type === 'category') {
      category = categoryName(textIn(element, 'category'));
    } else {
      number += 1;
      place = moodleMessages.place(number, textIn(element, 'name'));
      collector.add({ ...(await convert(element, { place, type, savePicture })), category });
    }
    // Lets its pictures go.
    element.children = [];
    onProgress((index + 1) / elements.length);
  }
  const errors: ImportNote[] = isDamaged ? [{ where: '文件', message: moodleMessages.damaged(place) }] : [];
  return collector.finish('moodle-xml', { errors, doubts: number > 0 ? [moodleMessages.ignored] : [] });
};

const kinds: Readonly<Record<string, MoodleQuestion['kind']>> = {
  multichoice: 'choice',
  truefalse: 'truefalse',
  shortanswer: 'short',
  numerical: 'short',
  essay: 'essay',
  matching: 'match',
  match: 'match',
  cloze: 'cloze',
  multianswer: 'cloze',
  description: 'description',
};

type Place = Pick<ReadingOptions, 'savePicture'> & { place: string; type: string };

async function convert(element: Element, { place, type, savePicture }: Place): Promise<MoodleQuestion> {
  const losses = new Set<string>();
  /** Converts an element with a text and its files. */
  const html = async (of: Element | undefined): Promise<string> => {
    const text = textOf(childNamed(of, 'text') ?? of);
    const format = of?.attributes.format ?? 'html';
    if (/plain/.test(format)) return textToHtml(text);
    const read = await importHtml(
      format === 'html' || /<\/?[a-z][^<>]*>/i.test(text) ? text : text.replaceAll('\n', '<br />'),
      {
        savePicture,
        files: filesOf(of, savePicture !== undefined),
      },
    );
    for (const loss of read.losses) losses.add(loss);
    return read.html;
  };
  const question: MoodleQuestion = {
    ...emptyMoodleQuestion({ place }, place),
    kind: kinds[type] ?? 'other',
    type,
    stem: await html(childNamed(element, 'questiontext')),
    analysis: await html(childNamed(element, 'generalfeedback')),
    isSingle: isTrue(textIn(element, 'single')),
    ignoresCase: !isTrue(textIn(element, 'usecase')),
    score: numberIn(element, 'defaultgrade'),
    tags: childrenNamed(childNamed(element, 'tags'), 'tag').map((tag) => textIn(tag, 'text')),
  };
  if (type === 'essay') question.answer = await html(childNamed(element, 'graderinfo'));
  for (const answer of childrenNamed(element, 'answer')) {
    // Answers that are compared with typed text are plain text, whatever their format says.
    const text = question.kind === 'short' ? escapeHtml(textOf(childNamed(answer, 'text'))) : await html(answer);
    question.answers.push(await convertAnswer(answer, text, html));
  }
  for (const pair of childrenNamed(element, 'subquestion')) {
    question.pairs.push({ question: await html(pair), answer: textIn(childNamed(pair, 'answer'), 'text') });
  }
  // A picture of a Moodle before 1.9.
  if (childNamed(element, 'image_base64') || textIn(element, 'image') !== '') losses.add(lossMessages.picture);
  if (childrenNamed(childNamed(element, 'units'), 'unit').length > 0) losses.add(moodleMessages.units);
  question.losses = [...losses];
  return question;
}

/** Text of `<name><text>…</text></name>`, or of `<name>…</name>`. */
function textIn(element: Element | undefined, name: string): string {
  const child = childNamed(element, name);
  return textOf(childNamed(child, 'text') ?? child);
}

const isTrue = (text: string): boolean => /^(?:true|1)$/i.test(text);

function numberIn(element: Element, name: string): number | undefined {
  const text = textIn(element, name);
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

async function convertAnswer(
  answer: Element,
  text: string,
  html: (of: Element | undefined) => Promise<string>,
): Promise<MoodleAnswer> {
  const tolerance = numberIn(answer, 'tolerance');
  return {
    html: text,
    fraction: Number(answer.attributes.fraction ?? 0) / 100,
    feedback: await html(childNamed(answer, 'feedback')),
    ...(tolerance && { tolerance: `±${tolerance}` }),
  };
}

function filesOf(element: Element | undefined, isKept: boolean): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const file of isKept ? childrenNamed(element, 'file') : []) {
    const folder = (file.attributes.path ?? '/').replace(/^\/+/, '');
    if (file.attributes.encoding !== 'base64') continue;
    files.set(folder + (file.attributes.name ?? ''), Buffer.from(textOf(file), 'base64'));
  }
  return files;
}
