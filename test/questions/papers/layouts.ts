/** Papers that differ in layout: labels of answers, numbers, page lines, tables, solutions of publishers. */
import { type WrittenPaper, writtenPapers } from './written.ts';

/** Two questions whose answer is written in a way of its own. */
const labelled = (name: string, first: string, second: string): WrittenPaper => ({
  name: `答案标签 ${name}`,
  text: `1．地球的卫星是（　　）\nA．太阳　B．月球　C．火星\n${first}\n2．一天有几小时（　　）\nA．12　B．20　C．24\n${second}`,
  expected: `
1 地球的卫星是（　　） | 太阳 | 月球 | 火星 = B
1 一天有几小时（　　） | 12 | 20 | 24 = C`,
});

/** The same questions with numbers and options in another spelling. */
const numbered = (name: string, number: (n: number) => string, option: (letter: string) => string): WrittenPaper => ({
  name: `题号写作 ${name}`,
  text: [
    ['地球的卫星是（　　）', ['太阳', '月球', '火星'], 'B'],
    ['一天有几小时（　　）', ['12', '20', '24'], 'C'],
    ['水在标准大气压下的沸点是（　　）', ['90℃', '100℃', '110℃'], 'B'],
  ]
    .map(([stem, options, answer], index) =>
      [
        `${number(index + 1)}${stem}`,
        ...(options as string[]).map((text, at) => `${option('ABC'.charAt(at))}${text}`),
        `答案：${answer}`,
      ].join('\n'),
    )
    .join('\n'),
  expected: `
1 地球的卫星是（　　） | 太阳 | 月球 | 火星 = B
1 一天有几小时（　　） | 12 | 20 | 24 = C
1 水在标准大气压下的沸点是（　　） | 90℃ | 100℃ | 110℃ = B`,
});

const written: readonly WrittenPaper[] = [
  labelled('Answer: B', 'Answer: B', 'Answer: C'),
  labelled('ANS: B', 'ANS: B', 'ANS: C'),
  labelled('答案（B）', '答案（B）', '答案（C）'),
  labelled('[答案] B', '[答案] B', '[答案] C'),
  labelled('【正确答案】B', '【正确答案】 B', '【正确答案】 C'),
  labelled('正确答案是B', '正确答案是B。', '正确答案是C。'),
  labelled('【答案】：B', '【答案】：B', '【答案】：C'),
  labelled('答：B', '答：B', '答：C'),
  labelled('（答案：B）', '（答案：B）', '（答案：C）'),
  labelled('本题答案为B', '本题答案为：B', '本题答案为：C'),
  labelled('参考答案：B（2分）', '参考答案：B（2分）', '参考答案：C（2分）'),
  labelled('答案：B.月球', '答案：B.月球', '答案：C.24'),
  numbered(
    '01.',
    (n) => `0${n}. `,
    (letter) => `${letter}. `,
  ),
  numbered(
    '1）',
    (n) => `${n}）`,
    (letter) => `${letter}）`,
  ),
  numbered(
    '【1】',
    (n) => `【${n}】`,
    (letter) => `${letter}、`,
  ),
  numbered(
    'Q1:',
    (n) => `Q${n}: `,
    (letter) => `${letter}: `,
  ),
  numbered(
    '题1：',
    (n) => `题${n}：`,
    (letter) => `${letter}．`,
  ),
  numbered(
    '第1题（单选）',
    (n) => `第${n}题（单选）`,
    (letter) => `(${letter})`,
  ),
  numbered(
    '★1．',
    (n) => `★${n}．`,
    (letter) => `${letter}，`,
  ),
  numbered(
    '1．（2023·北京）',
    (n) => `${n}．`,
    (letter) => `Ａ．`.replace('Ａ', String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  ),
  {
    name: '菁优网：分析、解答、点评，答案在解答里',
    text: `一．选择题（共2小题）
1．（3分）﹣3的相反数是（　　）
A．3\tB．﹣3\tC．\tD．0
【分析】根据相反数的定义解答．
【解答】解：﹣3的相反数是3．
故选：A．
【点评】本题考查了相反数．
2．（3分）下列是质数的是（　　）
A．4\tB．7\tC．9\tD．12
【分析】质数只有两个因数．
【解答】解：7是质数．
故选：B．
二．填空题（共1小题）
3．（3分）计算：2+3＝\u3000\u3000\u3000\u3000．
【解答】解：2+3＝5，
故答案为：5．
三．解答题（共1小题）
4．（6分）解方程：x﹣1＝0．
【分析】移项即可．
【解答】解：移项得x＝1．`,
    expected: `
1@3 ﹣3的相反数是（　　） | 3 | ﹣3 | ? | 0 = A # *
1@3 下列是质数的是（　　） | 4 | 7 | 9 | 12 = B # *
7@3 计算：2+3＝\u3000\u3000\u3000\u3000． = 5 # *
5@6 解方程：x﹣1＝0． = 解：移项得x＝1． # *`,
  },
  {
    name: '页码和网站名夹在题目中间',
    text: `1．甲是（　　）
A．一　B．二　C．三　D．四
第 1 页 共 2 页
2．乙是（　　）
A．一　B．二　C．三　D．四
— 2 —
学科网（北京）股份有限公司
3．丙是（　　）
A．一
B．二
C．三
D．四
第2页（共2页）
4．丁是（　　）
A．一　B．二　C．三　D．四
答案：1．A 2．B 3．C 4．D`,
    expected: `
1 甲是（　　） | 一 | 二 | 三 | 四 = A
1 乙是（　　） | 一 | 二 | 三 | 四 = B
1 丙是（　　） | 一 | 二 | 三 | 四 = C
1 丁是（　　） | 一 | 二 | 三 | 四 = D`,
  },
  {
    name: '每题一个表格，一行一项',
    text: `|题目|下列属于水果的是|
|选项A|苹果|
|选项B|白菜|
|选项C|萝卜|
|答案|A|
|解析|苹果是水果。|

|题目|下列属于蔬菜的有|
|选项A|苹果|
|选项B|白菜|
|选项C|萝卜|
|答案|BC|
|解析||`,
    expected: `
1 下列属于水果的是 | 苹果 | 白菜 | 萝卜 = A # 苹果是水果。
3 下列属于蔬菜的有 | 苹果 | 白菜 | 萝卜 = BC`,
  },
  {
    name: '表格：题号、题目（选项在题目里）、答案',
    text: `|题号|试题内容|答案|
|1|我国的首都是（　　） A.上海 B.北京 C.广州|B|
|2|下列属于直辖市的有（　　） A.天津 B.重庆 C.南京|AB|
|3|长江是我国最长的河流。|对|`,
    expected: `
1 我国的首都是（　　） | 上海 | 北京 | 广州 = B
3 下列属于直辖市的有（　　） | 天津 | 重庆 | 南京 = AB
2 长江是我国最长的河流。 = 对`,
  },
  {
    name: '答案表分几排，题号换行',
    text: `一、单选题
1．甲是（　　）
A．一　B．二
2．乙是（　　）
A．一　B．二
3．丙是（　　）
A．一　B．二
4．丁是（　　）
A．一　B．二
参考答案
|题号|1|2|
|答案|A|B|
|题号|3|4|
|答案|B|A|`,
    expected: `
1 甲是（　　） | 一 | 二 = A
1 乙是（　　） | 一 | 二 = B
1 丙是（　　） | 一 | 二 = B
1 丁是（　　） | 一 | 二 = A`,
  },
  {
    name: '答案按题型名，题号每类重新开始',
    text: `一、选择题
1．甲是（　　）
A．一　B．二
2．乙是（　　）
A．一　B．二
二、判断题
1．丙对。（　　）
2．丁错。（　　）
三、填空题
1．首都是____。
2．一年有____个月，一周有____天。
参考答案
选择题：1-2 AB
判断题：1-2 √×
填空题：1．北京 2．12 7`,
    expected: `
1 甲是（　　） | 一 | 二 = A
1 乙是（　　） | 一 | 二 = B
2 丙对。（　　） = 对
2 丁错。（　　） = 错
7 首都是____。 = 北京
7 一年有____个月，一周有____天。 = 12；7`,
  },
  {
    name: '答案逐题，【答案】在题号前后，带解析',
    text: `1．甲是（　　）
A．一　B．二
2．乙是（　　）
A．一　B．二
参考答案
1．【答案】A
【解析】因为甲。
2．【答案】B
【解析】因为乙。`,
    expected: `
1 甲是（　　） | 一 | 二 = A # 因为甲。
1 乙是（　　） | 一 | 二 = B # 因为乙。`,
  },
  {
    name: '答案：1．A。解析：… 写在一行',
    text: `1．甲是（　　）
A．一　B．二
2．乙对。（　　）
答案及解析
1．A。解析：因为甲。
2．×。解析：因为乙错。`,
    expected: `
1 甲是（　　） | 一 | 二 = A # 因为甲。
2 乙对。（　　） = 错 # 因为乙错。`,
  },
  {
    name: '答题卡跟在卷子后面',
    text: `一、选择题
1．甲是（　　）
A．一　B．二　C．三　D．四
2．乙是（　　）
A．一　B．二　C．三　D．四
答题卡
姓名：________　考号：________
1．[A][B][C][D]　2．[A][B][C][D]`,
    expected: `
1 甲是（　　） | 一 | 二 | 三 | 四 = 
1 乙是（　　） | 一 | 二 | 三 | 四 = `,
  },
  {
    name: '题干里引用A．B．的说法，选项跨行缩进',
    text: `1．关于甲、乙两人的观点：甲认为A型血最多，乙认为O型血最多。下列评价正确的是（　　）
　　A．甲正确，
乙错误
　　B．乙正确，甲错误
　　C．都正确
　　D．都错误
答案：B
2．Plan A and Plan B are both good. Which is better?
A．Plan A　　B．Plan B　　C．Both　　D．Neither
答案：C`,
    expected: `
1 关于甲、乙两人的观点：甲认为A型血最多，乙认为O型血最多。下列评价正确的是（　　） | 甲正确，乙错误 | 乙正确，甲错误 | 都正确 | 都错误 = B
1 Plan A and Plan B are both good. Which is better? | Plan A | Plan B | Both | Neither = C`,
  },
  {
    name: '答案速查在试卷前面',
    text: `答案速查
|题号|1|2|3|
|答案|A|B|C|
一、选择题
1．甲是（　　）
A．一　B．二　C．三
2．乙是（　　）
A．一　B．二　C．三
3．丙是（　　）
A．一　B．二　C．三`,
    expected: `
1 甲是（　　） | 一 | 二 | 三 = A
1 乙是（　　） | 一 | 二 | 三 = B
1 丙是（　　） | 一 | 二 | 三 = C`,
  },
  {
    name: '英文试卷 Part、Multiple Choice、True or False',
    text: `Part I. Multiple Choice (2 points each)
1. Which of the following is a programming language?
a. Python
b. Word
c. Excel
d. Windows
2. What does CPU stand for?
a. Central Processing Unit
b. Computer Personal Unit
c. Central Program Unit
d. Control Processing Unit
Part II. True or False (1 point each)
3. RAM is a kind of memory.
4. A mouse is an output device.
Answer Key
1. a
2. a
3. T
4. F`,
    expected: `
1@2 Which of the following is a programming language? | Python | Word | Excel | Windows = A
1@2 What does CPU stand for? | Central Processing Unit | Computer Personal Unit | Central Program Unit | Control Processing Unit = A
2@1 RAM is a kind of memory. = 对
2@1 A mouse is an output device. = 错`,
  },
];

export const layoutPapers = writtenPapers(written);
