/** Kinds of questions that headings and tags name. */
import type { QuestionType } from '#server/questions/rules.ts';

/** `choice`: single or multiple, the answers decide. `open`: written answers. `reading`: a text with questions. */
export type SectionKind = QuestionType | 'choice' | 'open' | 'reading';

/** Words by kind. The first word that a text has decides, so 判断说理 stands above 判断. */
const kindWords: readonly (readonly [SectionKind, readonly string[]])[] = [
  ['open', ['非选择']],
  [1, ['A1型', 'A2型', 'A3型', 'A4型', 'A3/A4型', 'B1型', 'A型', 'B型', 'C型', 'K型']],
  [3, ['X型']],
  [1, ['配伍']],
  [
    'choice',
    ['常识判断', '判断推理', '逻辑判断', '定义判断', '图形推理', '类比推理', '言语理解', '数量关系', '资料分析'],
  ],
  [4, ['不定项', '不定向']],
  [3, ['多项选择', '多选', '双项选择', '双选']],
  [1, ['单项选择', '单项填空', '单选', '最佳选择']],
  ['open', ['判断说理', '判断改错']],
  [2, ['判断', '是非', '正误', '对错']],
  ['open', ['辨析']],
  ['choice', ['选择填空']],
  ['reading', ['完形填空', '完型填空']],
  ['open', ['语法填空']],
  ['reading', ['阅读']],
  ['choice', ['听力', '选择', '选一选']],
  [7, ['填空', '填一填', '默写']],
  [
    'open',
    [
      '简答',
      '问答',
      '论述',
      '解答',
      '计算',
      '证明',
      '作图',
      '实验',
      '探究',
      '综合',
      '应用题',
      '名词解释',
      '材料',
      '案例',
      '分析题',
      '主观',
      '写作',
      '作文',
      '习作',
      '书面表达',
      '翻译',
      '改错',
      '解释',
      '操作题',
      '编程',
    ],
  ],
  ['choice', ['客观题']],
  ['open', ['解决问题', '口算', '竖式', '应用']],
  [2, ['判一判', '会判断']],
  ['choice', ['会选']],
  [7, ['会填']],
];

/** Returns the kind of questions that a text names. */
export const kindIn = (text: string): SectionKind | undefined =>
  kindWords.find(([, words]) => words.some((word) => text.includes(word)))?.[0];
