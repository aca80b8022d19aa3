/** Finds labels such as 答案： and 【解析】 in a line of a paper. */

export type PaperField =
  | 'answer'
  | 'analysis'
  | 'point'
  | 'note'
  | 'difficulty'
  | 'score'
  | 'type'
  | 'stem'
  | 'options'
  | 'attempt';

export interface FieldLabel {
  field: PaperField;
  /** The word itself. */
  word: string;
  /** Number of the question or part that the label names, as in 【3题详解】. */
  number: number | undefined;
  /** True for 答： and 解：, which are part of an answer that has begun already. */
  isSpoken: boolean;
  /** Offsets of the label and of the text behind it. */
  from: number;
  to: number;
}

const wordsOfField: Readonly<Record<PaperField, readonly string[]>> = {
  answer: [
    '参考答案',
    '正确答案',
    '标准答案',
    '试题答案',
    '本题答案',
    '答案',
    '正确选项',
    '正解',
    '参考解答',
    '答题要点',
    '答案要点',
    '参考要点',
    'Answer',
    'Answers',
    'Correct answer',
    'Right answer',
    'Ans',
    'Key',
  ],
  analysis: [
    '答案解析',
    '试题解析',
    '题目解析',
    '解析',
    '试题分析',
    '分析',
    '详解',
    '解答',
    '点评',
    '点睛',
    '名师点睛',
    '名师点拨',
    '思路点拨',
    '解题思路',
    '思路',
    '导语',
    '解说',
    '注解',
    '讲解',
    '详细解析',
    'Explanation',
    'Solution',
  ],
  point: ['知识点', '考点', '考查点', '所属知识点', '考察点', '知识模块'],
  note: ['章节', '来源', '出处', '依据', '法律依据'],
  difficulty: ['难度', '难易度', '难易程度', '难度系数', '难度等级'],
  score: ['分值', '分数', '本题分值'],
  type: ['题型', '试题类型', '题目类型'],
  stem: ['题干', '题目', '试题', '题目内容'],
  options: ['选项', '备选项', '选项内容'],
  attempt: ['我的答案', '学生答案', '你的答案', '您的答案', '本题得分', '得分', '正确率', '答题时间'],
};

const fieldOfWord = new Map<string, PaperField>(
  Object.entries(wordsOfField).flatMap(([field, words]) =>
    words.map((word): [string, PaperField] => [word.toLowerCase(), field as PaperField]),
  ),
);

const alternatives = [...fieldOfWord.keys()].sort((one, other) => other.length - one.length).join('|');

/** In brackets a label may stand anywhere, and may name a number: 【答案】, 【3题答案】, 【小问1详解】. */
const bracketed = new RegExp(
  `[【〖［\\[]\\s*(?:第|小题|小问)?\\s*(\\d{1,3})?\\s*(?:小?题)?\\s*(${alternatives})\\s*[】〗］\\]][ \\t\\u3000]*[:：]?`,
  'gi',
);

/** Without brackets it needs a colon, and the start of a line, a space or a punctuation mark before it. */
const plain = new RegExp(
  `(?<=^|[\\s\\u3000。；;，,、)）】\\]．.|])[（(]?(?:(?:本题|该题)的?)?(${alternatives})[ \\t\\u3000]*(?:是|为)?[:：]`,
  'gi',
);

/** At the start of a line an answer may follow without a colon: 答案 A, 答：…. */
const leading =
  /^[\s\u3000（(]*(?:(参考答案|正确答案|标准答案|答案)(?:是|为)?[\s\u3000]*(?=[A-Ha-h√×✓✗对错正（(][^\u4e00-\u9fff]*$|$|对|错|正确|错误)|(答|解)[ \t\u3000]*[:：])/;

/** Returns the labels of a line in order. `at`: offset behind the number of the line. */
export function labelsIn(text: string, at = 0): FieldLabel[] {
  if (!/[】〗］\]:：]|^\s*[（(]?(?:参考|正确|标准)?答案/.test(text)) return [];
  const labels: FieldLabel[] = [];
  const add = (word: string, from: number, to: number, number?: string, isSpoken = false) => {
    const field = fieldOfWord.get(word.toLowerCase());
    const isTaken = labels.some((label) => from < label.to && to > label.from);
    if (field && !isTaken)
      labels.push({ field, word, number: number ? Number(number) : undefined, isSpoken, from, to });
  };
  const gapped = text.replace(/\u00a0/g, ' ');
  for (const match of gapped.matchAll(bracketed))
    add(match[2] ?? '', match.index, match.index + match[0].length, match[1]);
  for (const match of gapped.matchAll(plain)) add(match[1] ?? '', match.index, match.index + match[0].length);
  const first = leading.exec(gapped.slice(at));
  if (first) add(first[1] ?? '答案', at, at + first[0].length, undefined, first[2] !== undefined);
  return labels.filter((label) => label.from >= at).sort((one, other) => one.from - other.from);
}
