/** Writes Moodle XML. Materials become a description and the questions after it; our tags make them one again. */
import { Yielding } from '#server/platform/jobs/yielding.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import { escapeHtml } from '#server/platform/text/render-math.ts';
import { type XmlAttributes, xmlCdata, xmlElement, xmlHead, xmlText } from '#server/platform/text/xml.ts';
import type { ImportNote } from '../import.contract.ts';
import { type TaggedFields, writeTags } from '../portable-tags.ts';
import { blanksOf, tagsIn } from '../rules.ts';
import { type ExportedQuestions, type ExportOptions, type ExportQuestion, placeOf } from './export-question.ts';
import { exportLosses } from './losses.ts';
import { type ExportedPicture, readPictures } from './pictures.ts';
import { portableHtml } from './portable-html.ts';

/** Maximum characters of a question's name. */
const maxName = 60;

export async function writeMoodleXml(
  questions: readonly ExportQuestion[],
  options: ExportOptions,
): Promise<ExportedQuestions> {
  const losses: ImportNote[] = [];
  const written: string[] = [];
  const turns = new Yielding();
  let materials = 0;
  const writeOne = async (question: ExportQuestion, of: Pick<TaggedFields, 'material' | 'partOf'>) => {
    const pictures = await readPictures([{ ...question, ques_item: [] }], options);
    const { xml, lost } = questionXml(question, of, pictures);
    written.push(xml);
    losses.push(...lost.map((message) => ({ where: placeOf(question), message })));
  };
  for (const question of questions) {
    await turns.others();
    const isMaterial = question.ques_type === 6;
    if (isMaterial) materials += 1;
    await writeOne(question, isMaterial ? { material: materials } : {});
    for (const part of question.ques_item) await writeOne(part, { partOf: materials });
  }
  const xml = xmlElement('quiz', {}, ...written.map((question) => `\n${question}`), '\n');
  return { bytes: Buffer.from(xmlHead + xml), losses };
}

const textElement = (content: string): string => xmlElement('text', {}, content);
const noFeedback = xmlElement('feedback', { format: 'html' }, textElement(''));

/** Writes an element in a line of its own. */
const line: typeof xmlElement = (...element) => `  ${xmlElement(...element)}\n`;

const extensions: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' };

function questionXml(
  question: ExportQuestion,
  of: Pick<TaggedFields, 'material' | 'partOf'>,
  pictures: ReadonlyMap<string, ExportedPicture>,
): { xml: string; lost: string[] } {
  const { ques_type, ques_option, ques_stem, right_answer, score } = question;
  const lost = new Set<string>();
  /** An element with rich text and its pictures. */
  const rich = (name: string, html: string, attributes: XmlAttributes = {}, more = '') => {
    const files: string[] = [];
    const text = portableHtml(html, (src) => {
      const picture = pictures.get(src);
      if (!picture) {
        lost.add(exportLosses.picture);
        return undefined;
      }
      const file = `picture${files.length + 1}.${extensions[picture.contentType] ?? 'png'}`;
      const bytes = picture.bytes.toString('base64');
      files.push(xmlElement('file', { name: file, path: '/', encoding: 'base64' }, bytes));
      return `@@PLUGINFILE@@/${file}`;
    });
    return line(name, { ...attributes, format: 'html' }, textElement(xmlCdata(text)), ...files, more);
  };
  const answer = (fraction: number, html: string) => rich('answer', html, { fraction }, noFeedback);
  const plainAnswer = (fraction: number, text: string) =>
    line('answer', { fraction, format: 'moodle_auto_format' }, textElement(xmlText(text)), noFeedback);
  const right = ques_option.filter(({ is_right }) => is_right === 1);
  const blanks = ques_type === 7 ? blanksOf(right_answer) : [];
  let type = 'description';
  let body = '';
  let stem = rich('questiontext', ques_stem);
  if (ques_type === 1 || ques_type === 3 || ques_type === 4) {
    type = 'multichoice';
    const isSingle = ques_type === 1;
    const share = isSingle ? 100 : Number((100 / Math.max(right.length, 1)).toFixed(5));
    body =
      line('single', {}, String(isSingle)) + line('shuffleanswers', {}, 'false') + line('answernumbering', {}, 'ABCD');
    for (const { content, is_right } of ques_option)
      body += answer(is_right === 1 ? share : isSingle ? 0 : -100, content);
  } else if (ques_type === 2) {
    type = 'truefalse';
    const isTrue = right[0]?.id === 1;
    body = plainAnswer(isTrue ? 100 : 0, 'true') + plainAnswer(isTrue ? 0 : 100, 'false');
  } else if (ques_type === 5) {
    type = 'essay';
    body = line('responseformat', {}, 'editor') + rich('graderinfo', right_answer);
  } else if (ques_type === 7 && blanks.length === 1) {
    type = 'shortanswer';
    body = line('usecase', {}, question.ignore_case === 1 ? '0' : '1') + plainAnswer(100, blanks[0] ?? '');
  } else if (ques_type === 7) {
    type = 'cloze';
    const { html, isWhole } = clozeHtml(ques_stem, blanks, question.ignore_case === 1);
    if (!isWhole) lost.add(exportLosses.blanks);
    stem = rich('questiontext', html);
  }
  const tags = writeTags({
    ...of,
    difficulty: question.facility_value,
    remark: question.remark,
    point: question.point,
    own: tagsIn(question.tags ?? ''),
    ...(ques_type === 4 && { type: 4 }),
  });
  const name = [...plainText(ques_stem)].slice(0, maxName).join('') || question.number;
  const hasGrade = score !== undefined && ques_type !== 6;
  const xml = xmlElement(
    'question',
    { type },
    '\n',
    line('name', {}, textElement(xmlText(name))),
    stem,
    rich('generalfeedback', question.ques_analysis),
    hasGrade && line('defaultgrade', {}, String(score)),
    body,
    line('tags', {}, ...tags.map((tag) => xmlElement('tag', {}, textElement(xmlText(tag))))),
  );
  return { xml, lost: [...lost] };
}

/** Puts the answers into the marked blanks of a stem; at its end if their number differs. */
function clozeHtml(stem: string, blanks: readonly string[], ignoresCase: boolean): { html: string; isWhole: boolean } {
  const fields = blanks.map((blank) => {
    const text = escapeHtml(blank).replace(/[\\}#~/"]/g, '\\$&');
    return `{1:${ignoresCase ? 'SHORTANSWER' : 'SHORTANSWER_C'}:=${text}}`;
  });
  const marks = stem.match(/[_＿]{2,}/g) ?? [];
  if (marks.length !== blanks.length) {
    return {
      html: `${stem}<p>${fields.map((field, index) => `（${index + 1}）${field}`).join('　')}</p>`,
      isWhole: false,
    };
  }
  let at = 0;
  const html = stem.replace(/[_＿]{2,}/g, () => fields[at++] ?? '');
  return { html, isWhole: true };
}
