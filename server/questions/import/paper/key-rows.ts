/** Reads lines that list answers by number: `1-5 ABCDA 6-10 BBDCA`, `1.A 2.B 3.C`, `11.√ 12.×`. */

export interface KeyItem {
  value: number;
  answer: string;
}

const rangeStart =
  /^第?(\d{1,4})\s*小?题?\s*[-~～—–－﹣‒―至到]{1,3}\s*第?(\d{1,4})\s*小?题?\s*(?:[.．、:：]|答案[:：]?)?\s*/;
const itemStart =
  /^第?(?:(\d{1,4})\s*(?:[.．、:：)）]|小?题[.．、:：]?|\s|(?=[A-H√×【]))|[（(]\s*(\d{1,4})\s*[)）][.．、]?)\s*(?:答案[:：]?)?\s*/;
const markWords = '正确|错误|√|×|✓|✔|✗|✘|对|错|[TF](?![A-Za-z])|[A-H](?:[\\s,，、]*[A-H])*(?![A-Za-z])';
const itemAnswer = new RegExp(`^[（(【]?\\s*(${markWords})\\s*[)）】]?(?=$|[\\s,，;；、.。|]|\\d|[（(]\\s*\\d)`);
const rangeAnswers = /^[A-Ha-h√×✓✔✗✘对错正确误TF\s,，、;；/|]+/;
const separators = /^[\s\u3000,，;；、.。|]+/;

/** Words in front of a list: `一、选择题：`, `答案：`, `【答案】`. */
const prefix =
  /^[\s\u3000]*(?:[一二三四五六七八九十]{1,3}[、.．：:\s]|[（(][一二三四五六七八九十]{1,3}[)）])?[^\dA-Z]{0,30}?(?=第?\d|[（(]\s*\d)/;

/** Returns the answers of a line that only lists answers; undefined for any other line. */
export function keyRowIn(text: string): KeyItem[] | undefined {
  if (!/\d/.test(text) || text.length > 1000) return undefined;
  const english = /^[\s\u3000]*(?:Keys?|Answers?)[\s\u3000]*[:：]?/i.exec(text);
  if (english) return keyRowIn(text.slice(english[0].length));
  const lead = prefix.exec(text)?.[0] ?? '';
  if (lead.trim() !== '' && !/[：:、】\s答题案]$/.test(lead)) return undefined;
  const items = keyItemsIn(text.slice(lead.length));
  return items && items.length >= 2 ? items : undefined;
}

/** Like `keyRowIn`, but without words in front, and also for a single answer. */
export function keyItemsIn(text: string): KeyItem[] | undefined {
  const items: KeyItem[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const gap = separators.exec(rest);
    if (gap) {
      rest = rest.slice(gap[0].length);
      continue;
    }
    const range = rangeStart.exec(rest);
    if (range) {
      const spelled = rangeAnswers.exec(rest.slice(range[0].length))?.[0] ?? '';
      const answers = splitAnswers(spelled, Number(range[2]) - Number(range[1]) + 1);
      if (!answers) return undefined;
      items.push(...answers.map((answer, index) => ({ value: Number(range[1]) + index, answer })));
      rest = rest.slice(range[0].length + spelled.length);
      continue;
    }
    const item = itemStart.exec(rest);
    const answer = item && itemAnswer.exec(rest.slice(item[0].length));
    if (!item || !answer?.[1]) return undefined;
    items.push({ value: Number(item[1] ?? item[2]), answer: answer[1] });
    rest = rest.slice(item[0].length + answer[0].length);
  }
  return items;
}

/** Splits the answers of a range: one sign each, or one word each. */
export function splitAnswers(spelled: string, count: number): string[] | undefined {
  if (count < 1 || count > 200) return undefined;
  const words = spelled.split(/[\s\u3000,，、;；/|]+/).filter((word) => word !== '');
  if (words.length === count) return words;
  const signs = words.join('').match(/正确|错误|[A-Ha-hTF√×✓✔✗✘对错]/g) ?? [];
  return signs.length === count ? signs : undefined;
}
