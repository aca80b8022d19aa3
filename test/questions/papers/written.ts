/** Makes Word papers from text, for papers in habits that no rule of `habits.ts` makes. */
import { paragraph, picture, run, wordFile, xml } from '../../support/office-files.ts';
import type { ExpectedQuestion, Paper } from './habits.ts';
import { readSubject } from './subjects.ts';

/**
 * A paper as text. In a line, `<u>…</u>` is underlined and `{pic}` a picture; a line `|a|b|` is a row of a table.
 * `{题1}` in front numbers the line as an item of an automatic list, `{题1:1}` at its second level; the word names the
 * form of the list, the digit the list itself.
 */
export interface WrittenPaper {
  name: string;
  text: string;
  /** A second file with the answers. */
  key?: string;
  /** In the notation of `subjects.ts`; `1@2.5 …` is a question of 2.5 points. */
  expected: string;
}

const listForms: Readonly<Record<string, readonly [format: string, label: string][]>> = {
  题: [
    ['decimal', '%1．'],
    ['decimal', '（%2）'],
  ],
  项: [['upperLetter', '%1．']],
  大: [
    ['chineseCounting', '%1、'],
    ['decimal', '%2．'],
  ],
};

const onePixel = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

/** Runs of a line; tabs are elements of their own in Word. */
const runsOf = (text: string): string =>
  text
    .split(/(\{pic\}|<u>.*?<\/u>|\t)/)
    .map((part) => {
      if (part === '{pic}') return picture('picture1');
      if (part === '\t') return '<w:r><w:tab/></w:r>';
      const underlined = /^<u>(.*)<\/u>$/.exec(part)?.[1];
      return underlined === undefined ? (part === '' ? '' : run(part)) : run(underlined, '<w:u w:val="single"/>');
    })
    .join('');

function wordPaper(text: string): Uint8Array {
  const lists = new Map<string, number>();
  const blocks: string[] = [];
  let rows: string[] = [];
  const endTable = () => {
    if (rows.length > 0) blocks.push(`<w:tbl><w:tblPr/><w:tblGrid/>${rows.join('')}</w:tbl>`);
    rows = [];
  };
  for (const line of text.split('\n')) {
    if (/^\|.*\|$/.test(line)) {
      const cells = line.slice(1, -1).split('|');
      rows.push(`<w:tr>${cells.map((cell) => `<w:tc><w:tcPr/>${paragraph(runsOf(cell))}</w:tc>`).join('')}</w:tr>`);
      continue;
    }
    endTable();
    const [label = '', list = '', level = '0'] = /^\{(\S\d+)(?::(\d))?\}/.exec(line) ?? [];
    if (list !== '' && !lists.has(list)) lists.set(list, lists.size + 1);
    const place = `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${lists.get(list)}"/></w:numPr>`;
    blocks.push(paragraph(runsOf(line.slice(label.length)), list === '' ? '' : place));
  }
  endTable();
  const definitions = [...lists].map(([name, id]) => {
    const levels = (listForms[name.charAt(0)] ?? []).map(
      ([format, shown], index) =>
        `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${xml(shown)}"/></w:lvl>`,
    );
    return `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`;
  });
  const numbers = [...lists.values()].map((id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`);
  return wordFile({
    body: blocks.join(''),
    numbering: definitions.join('') + numbers.join(''),
    media: text.includes('{pic}') ? { 'picture1.png': onePixel } : {},
  });
}

function readExpected(text: string): ExpectedQuestion[] {
  if (text === '') return [];
  const scores = text
    .replace(/^\n+/, '')
    .split('\n')
    .filter((line) => !line.startsWith('  '))
    .map((line) => /^\d@([\d.]+) /.exec(line)?.[1]);
  const withScore = (question: ReturnType<typeof readSubject>[number], score?: string): ExpectedQuestion => ({
    ...question,
    score: score === undefined ? undefined : Number(score),
    parts: question.parts.map((part) => withScore(part)),
  });
  return readSubject(text.replace(/^(\d)@[\d.]+ /gm, '$1 ')).map((question, index) =>
    withScore(question, scores[index]),
  );
}

export const writtenPapers = (papers: readonly WrittenPaper[]): Paper[] =>
  papers.map(({ name, text, key, expected }) => ({
    name,
    file: wordPaper(text),
    ...(key !== undefined && { answerFile: wordPaper(key) }),
    expected: readExpected(expected),
  }));
