/** Writes GIFT, Moodle's text format. */
import { Yielding } from '#server/platform/jobs/yielding.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import { escapeHtml } from '#server/platform/text/render-math.ts';
import type { ImportNote } from '../import.contract.ts';
import { joinAnswer, type TaggedFields, writeTags } from '../portable-tags.ts';
import { blanksOf, tagsIn } from '../rules.ts';
import { type ExportedQuestions, type ExportOptions, type ExportQuestion, placeOf } from './export-question.ts';
import { exportLosses, fieldLosses, leftOutLoss } from './losses.ts';
import { dataUri, readPictures } from './pictures.ts';
import { portableHtml } from './portable-html.ts';

/** Maximum characters of a question's name. */
const maxName = 40;

/** Escapes the signs that have a meaning in GIFT. A line break would end the question if a blank line followed. */
export const escapeGift = (text: string): string => text.replace(/[\\~=#{}:]/g, '\\$&').replace(/\r\n?|\n/g, '\\n');

export async function writeGift(
  questions: readonly ExportQuestion[],
  options: ExportOptions,
): Promise<ExportedQuestions> {
  const losses: ImportNote[] = [];
  const written: string[] = [];
  let materials = 0;
  let count = 0;
  const turns = new Yielding();

  const writeOne = async (question: ExportQuestion, of: Pick<TaggedFields, 'material' | 'partOf'>) => {
    const pictures = await readPictures([question], options);
    let lost = false;
    const html = (text: string) => {
      const portable = portableHtml(text, (src) => {
        const picture = pictures.get(src);
        lost ||= picture === undefined;
        return picture && dataUri(picture);
      });
      return portable === '' ? '' : `[html]${escapeGift(portable)}`;
    };
    const body = bodyOf(question, html);
    if (body === undefined) {
      losses.push(leftOutLoss(question, '有多个空'));
      return false;
    }
    const tags = writeTags({
      ...of,
      difficulty: question.facility_value,
      remark: question.remark,
      point: question.point,
      own: tagsIn(question.tags ?? ''),
      ...(question.ques_type === 4 && { type: 4 }),
      isCaseSensitive: question.ques_type === 7 && question.ignore_case === 0,
    }).map((tag) => `[tag:${tag.replace(/[[\]]/g, '\\$&')}]`);
    const name = escapeGift([...plainText(question.ques_stem)].slice(0, maxName).join(''));
    written.push(`${tags.length > 0 ? `// ${tags.join(' ')}\n` : ''}::${name}::${html(question.ques_stem)}${body}\n`);
    losses.push(...fieldLosses(question, question.ques_type === 6 ? ['analysis', 'score'] : ['score']));
    if (lost) losses.push({ where: placeOf(question), message: exportLosses.picture });
    return true;
  };

  for (const question of questions) {
    await turns.others();
    const isMaterial = question.ques_type === 6;
    if (isMaterial) materials += 1;
    if (await writeOne(question, isMaterial ? { material: materials } : {})) count += 1;
    for (const part of question.ques_item) await writeOne(part, { partOf: materials });
  }
  return { bytes: Buffer.from(written.join('\n')), losses, count };
}

/** Answers of a question; undefined if GIFT cannot hold them. A material is a text without answers. */
function bodyOf(question: ExportQuestion, html: (text: string) => string): string | undefined {
  const { ques_type, ques_option, ques_analysis, right_answer } = question;
  const general = ques_type === 5 ? joinAnswer(right_answer, ques_analysis) : ques_analysis;
  const end = general === '' ? '}' : `\n\t####${html(general)}\n}`;
  const right = ques_option.filter(({ is_right }) => is_right === 1);
  switch (ques_type) {
    case 1:
      return `{${ques_option.map(({ content, is_right }) => `\n\t${is_right === 1 ? '=' : '~'}${html(content)}`).join('')}\n${end}`;
    case 2:
      return `{${right[0]?.id === 1 ? 'TRUE' : 'FALSE'}${end}`;
    case 3:
    case 4: {
      const share = Number((100 / Math.max(right.length, 1)).toFixed(5));
      return `{${ques_option.map(({ content, is_right }) => `\n\t~%${is_right === 1 ? share : -100}%${html(content)}`).join('')}\n${end}`;
    }
    case 5:
      return `{${end}`;
    case 6:
      return '';
    case 7: {
      const [blank = '', ...more] = blanksOf(right_answer);
      // An arrow in plain text would make it a matching question.
      const written = blank.includes('->') ? `[html]${escapeGift(escapeHtml(blank))}` : `[plain]${escapeGift(blank)}`;
      return more.length === 0 ? `{=${written}${end}` : undefined;
    }
  }
}
