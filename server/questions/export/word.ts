/** Writes a paper as a Word document (.docx), with or without answers, laid out so that our import reads it again. */
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { inspectPicture, pngOf } from '#server/platform/files/image.ts';
import { Yielding } from '#server/platform/jobs/yielding.ts';
import { escapeHtml } from '#server/platform/text/render-math.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import { chineseCount } from '../import/word-numbering.ts';
import type { ImportNote } from '../import.contract.ts';
import { blankSeparator, type QuestionType, questionTypeNames } from '../rules.ts';
import { type ExportedQuestions, type ExportOptions, type ExportQuestion, placeOf } from './export-question.ts';
import { exportLosses, missingFieldsLoss } from './losses.ts';
import { type ExportedPicture, readPictures } from './pictures.ts';
import { plainLines } from './portable-html.ts';
import { type PlacedPicture, paragraph, textRun, wordBlocks } from './word-html.ts';
import {
  contentTypesXml,
  documentXml,
  footerXml,
  type Relationship,
  relationshipsXml,
  stylesXml,
  textWidth,
} from './word-parts.ts';

/** Lines to write an answer on, for each short-answer question of a paper without answers. */
const answerLines = 5;

/** Maximum characters of each option in a row of four, and of two. */
const shortOption = { four: 8, two: 18 } as const;

export async function writeWord(
  questions: readonly ExportQuestion[],
  options: ExportOptions,
): Promise<ExportedQuestions> {
  const paper = new PaperWriter(options);
  const turns = new Yielding();
  const body: string[] = [paragraph(textRun(options.title), '<w:pStyle w:val="Title"/>')];
  if (!options.answers) {
    const lines = ['姓名', '班级', '得分'].map((name) => `${name}：____________`).join('\u3000\u3000');
    body.push(paragraph(textRun(lines), '<w:jc w:val="center"/>'));
  }
  for (const [index, section] of sectionsOf(questions).entries()) {
    body.push(paragraph(textRun(`${chineseCount(index + 1)}、${section.title}`), '<w:pStyle w:val="Heading1"/>'));
    for (const question of section.questions) {
      body.push(await paper.write(question, `${question.number}. `, section.each === undefined));
      await turns.others();
    }
  }
  return { bytes: await paper.pack(body.join('')), losses: paper.losses };
}

interface Section {
  title: string;
  questions: ExportQuestion[];
  /** Points of each question; undefined if they differ or are unknown. */
  each: number | undefined;
}

/** Consecutive questions of a type form a section, whose heading says their type and points. */
function sectionsOf(questions: readonly ExportQuestion[]): Section[] {
  const groups: { type: QuestionType; questions: ExportQuestion[] }[] = [];
  for (const question of questions) {
    const last = groups.at(-1);
    if (last?.type === question.ques_type) last.questions.push(question);
    else groups.push({ type: question.ques_type, questions: [question] });
  }
  return groups.map(({ type, questions }) => {
    const scores = questions.map(({ score }) => score);
    const [first] = scores;
    const each = scores.every((score) => score === first) ? first : undefined;
    const points = each === undefined ? '' : `，每题${each}分`;
    return { title: `${questionTypeNames[type]}（共${questions.length}题${points}）`, questions, each };
  });
}

/** Writes questions, and collects their pictures and what is lost. */
class PaperWriter {
  readonly losses: ImportNote[] = [];
  private readonly media: { name: string; bytes: Buffer }[] = [];
  private readonly relationships: Relationship[] = [
    { id: 'styles', type: 'styles', target: 'styles.xml' },
    { id: 'footer', type: 'footer', target: 'footer.xml' },
  ];
  private readonly placed = new Map<string, PlacedPicture | undefined>();
  private readonly options: ExportOptions;

  constructor(options: ExportOptions) {
    this.options = options;
  }

  /** Returns the blocks of a question. `label`: its number. */
  async write(question: ExportQuestion, label: string, saysScore: boolean, tag = ''): Promise<string> {
    for (const [src, picture] of await readPictures(question, this.options)) {
      if (!this.placed.has(src)) this.placed.set(src, await this.place(picture));
    }
    const lost = new Set<string>();
    const blocks = (html: string, prefix: string) =>
      wordBlocks(html, {
        prefix,
        picture: (src, width, height) => sized(this.placed.get(src), width, height),
        lose: (what) => lost.add(exportLosses[lossOf[what]]),
      });
    const score = saysScore && question.score !== undefined ? `（${question.score}分）` : '';
    const written = [blocks(question.ques_stem, `${label}${tag}${score}`), this.optionsOf(question, blocks)];
    if (this.options.answers) written.push(...answersOf(question, blocks));
    else if (question.ques_type === 5) {
      written.push(paragraph('', '<w:pStyle w:val="AnswerLine"/>').repeat(answerLines));
    }
    this.losses.push(...[...lost].map((message) => ({ where: placeOf(question), message })));
    this.losses.push(...missingFieldsLoss(question, ['remark', 'tags', 'case']));
    for (const [index, part] of question.ques_item.entries()) {
      written.push(await this.write(part, `（${index + 1}）`, true, `【${questionTypeNames[part.ques_type]}】`));
    }
    return written.join('');
  }

  private optionsOf(
    { ques_type, ques_option }: ExportQuestion,
    blocks: (html: string, prefix: string) => string,
  ): string {
    // Those of a true/false question are always the same.
    if (ques_type === 2) return '';
    const labels = ques_option.map((_, index) => `${optionLetter(index)}. `);
    const columns = columnsFor(ques_option.map(({ content }) => content));
    if (columns === 1) return ques_option.map(({ content }, index) => blocks(content, labels[index] ?? '')).join('');
    const rows: string[] = [];
    const stops = Array.from({ length: columns - 1 }, (_, index) => Math.round(((index + 1) * 9638) / columns));
    const tabs = `<w:tabs>${stops.map((stop) => `<w:tab w:val="left" w:pos="${stop}"/>`).join('')}</w:tabs>`;
    for (let at = 0; at < ques_option.length; at += columns) {
      const row = ques_option
        .slice(at, at + columns)
        .map(({ content }, index) => `${labels[at + index] ?? ''}${plainLines(content).text}`);
      rows.push(paragraph(textRun(row.join('\t')), tabs));
    }
    return rows.join('');
  }

  /** Adds a picture to the document. Word does not show WebP. */
  private async place({ bytes, contentType }: ExportedPicture): Promise<PlacedPicture | undefined> {
    const number = this.media.length + 1;
    const relationship = `picture${number}`;
    // A plan asks only whether the picture is there.
    if (bytes.length === 0) return { relationship, number, width: 1, height: 1 };
    const inspected = await inspectPicture(bytes);
    if (!('ok' in inspected)) return undefined;
    const shown = contentType === 'image/webp' ? await pngOf(bytes) : bytes;
    if (!shown) return undefined;
    const { format, width, height } = inspected.ok;
    const name = `media/${relationship}.${format === 'webp' ? 'png' : format}`;
    this.media.push({ name, bytes: shown });
    this.relationships.push({ id: relationship, type: 'image', target: name });
    return { relationship, number, width, height };
  }

  async pack(body: string): Promise<Buffer> {
    const zip = new ZipFile();
    const add = (name: string, content: string) => zip.addBuffer(Buffer.from(content), name, fixedDate);
    add('[Content_Types].xml', contentTypesXml);
    add('_rels/.rels', relationshipsXml([{ id: 'document', type: 'officeDocument', target: 'word/document.xml' }]));
    add('word/document.xml', documentXml(body));
    add('word/styles.xml', stylesXml);
    add('word/footer.xml', footerXml);
    add('word/_rels/document.xml.rels', relationshipsXml(this.relationships));
    const turns = new Yielding();
    for (const { name, bytes } of this.media) {
      // Computes the checksum of the picture at once.
      zip.addBuffer(bytes, `word/${name}`, { ...fixedDate, compress: false });
      await turns.others();
    }
    zip.end();
    return buffer(zip.outputStream as Readable);
  }
}

const fixedDate = { mtime: new Date(1980, 0, 1) };

const lossOf = { formula: 'formula', picture: 'picture', list: 'list', rule: 'marks' } as const;

/** The size that the text gives a picture, else its own, but no wider than the page. */
function sized(picture: PlacedPicture | undefined, width?: number, height?: number): PlacedPicture | undefined {
  if (!picture) return undefined;
  const shownWidth = width ?? (height ? (picture.width * height) / picture.height : picture.width);
  const shownHeight = height ?? (width ? (picture.height * width) / picture.width : picture.height);
  const scale = Math.min(1, textWidth / shownWidth);
  return { ...picture, width: Math.max(shownWidth * scale, 1), height: Math.max(shownHeight * scale, 1) };
}

/** How many options stand in a row: only short ones without formatting share one. */
function columnsFor(contents: readonly string[]): number {
  const isPlain = contents.every(
    (content) => !/<(?!\/?p>)|\$|\\\(|&nbsp;|\u00a0/.test(content) && !/<\/p>\s*<p>/.test(content),
  );
  if (!isPlain) return 1;
  const texts = contents.map((content) => plainLines(content).text);
  const longest = Math.max(...texts.map((text) => text.length));
  // A letter in the text of an option could be taken for the label of the next one.
  if (texts.some((text) => /[A-Za-z]\s*[.．、)）]|\s{2}/.test(text) || text === '')) return 1;
  if (contents.length === 4 && longest <= shortOption.four) return 4;
  return contents.length % 2 === 0 && longest <= shortOption.two ? 2 : 1;
}

function answersOf(question: ExportQuestion, blocks: (html: string, prefix: string) => string): string[] {
  const answer = answerHtml(question);
  return [
    ...(answer === undefined ? [] : [blocks(answer, '【答案】')]),
    ...(question.ques_analysis === '' ? [] : [blocks(question.ques_analysis, '【解析】')]),
    ...(question.facility_value > 0 ? [blocks(String(question.facility_value), '【难度】')] : []),
  ];
}

function answerHtml({ ques_type, ques_option, right_answer }: ExportQuestion): string | undefined {
  if (ques_type === 6 || right_answer === '') return undefined;
  if (ques_type === 5) return right_answer;
  if (ques_type === 7) return escapeHtml(writtenBlanks(right_answer.split(blankSeparator)));
  if (ques_type === 2) return right_answer === '1' ? '正确' : '错误';
  return ques_option.map(({ is_right }, index) => (is_right === 1 ? optionLetter(index) : '')).join('');
}

/** Blanks with `；` between them; those that hold such a sign keep the separator of the product. */
const writtenBlanks = (blanks: readonly string[]): string =>
  blanks.some((blank) => /[;；\n]/.test(blank))
    ? `${blanks.join(blankSeparator)}${blanks.length === 1 ? blankSeparator : ''}`
    : blanks.join('；');
