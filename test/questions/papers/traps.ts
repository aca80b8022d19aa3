/** Papers about the weak points of a reader: contradictions, lists that look like questions, answers of several kinds. */
import { type WrittenPaper, writtenPapers } from './written.ts';

const written: readonly WrittenPaper[] = [
  {
    name: '七选五带题号横线，答案和解析在短文后',
    text: `阅读下面短文，从短文后的选项中选出可以填入空白处的最佳选项。选项中有两项为多余选项。
Good sleep matters. ___16___ It helps you learn. ___17___ Turn off your phone an hour before bed.
___18___
A. Sleep keeps you healthy.
B. Here is some advice.
C. Try to get up at the same time.
D. Coffee is popular.
E. Dreams are strange.
【答案】16. A 17. B 18. C
【解析】
【16题详解】下文说睡眠有助于学习，故选A。
【17题详解】下文是建议，故选B。
【18题详解】建议的一条，故选C。`,
    expected: `
6 *
  1 16. | Sleep keeps you healthy. | Here is some advice. | Try to get up at the same time. | Coffee is popular. | Dreams are strange. = A # *
  1 17. | ? | ? | ? | ? | ? = B # *
  1 18. | ? | ? | ? | ? | ? = C # *`,
  },
  {
    name: '完形填空：选项每空一行，题号后没有A的空格，答案在表里',
    text: `二、完形填空
There was an old man __1__ lived alone. He had a dog __2__ he loved. Every day he __3__ it to the park, and they came back together when it was dark.
1.A.who B.which C.whose
2.A.who B.that C.whose
3.A.took B.takes C.take
答案
|1|2|3|
|A|B|A|`,
    expected: `
6 *
  1 1. | who | which | whose = A
  1 2. | who | that | whose = B
  1 3. | took | takes | take = A`,
  },
  {
    name: '语法填空：括号里的题号61.____',
    text: `第二节 语法填空（每小题1.5分）
阅读短文，填入适当的单词。
China has a long history. Its culture 61.________ (attract) many visitors every year. 62.________ of them come to see the Great Wall, 63.________ is very old.
61. ________ 62. ________ 63. ________
参考答案
61. attracts 62. Most 63. which`,
    expected: `
6@4.5 *
  7 61. = attracts
  7 62. = Most
  7 63. = which`,
  },
  {
    name: '单选题的选项里有（1）（2），答案唯一',
    text: `1．下列做法正确的是（　　）
（1）节约用水
（2）浪费粮食
（3）爱护花草
A．（1）（2）　B．（1）（3）　C．（2）（3）　D．（1）（2）（3）
2．下列属于水果的是（　　）
A．苹果　B．白菜　C．土豆　D．萝卜
答案：1．B 2．A`,
    expected: `
1 下列做法正确的是（　　）（1）节约用水（2）浪费粮食（3）爱护花草 | （1）（2） | （1）（3） | （2）（3） | （1）（2）（3） = B
1 下列属于水果的是（　　） | 苹果 | 白菜 | 土豆 | 萝卜 = A`,
  },
  {
    name: '简答题答案用一二三，后接下一大题',
    text: `三、简答题
1．简述甲的意义。
2．简述乙的内容。
四、论述题
1．论述丙。
答案
三、简答题
1．一是提高效率；二是降低成本。
2．（一）内容一。
（二）内容二。
四、论述题
1．首先，……；其次，……。`,
    expected: `
5 简述甲的意义。 = 一是提高效率；二是降低成本。
5 简述乙的内容。 = （一）内容一。（二）内容二。
5 论述丙。 = 首先，……；其次，……。`,
  },
  {
    name: '答案写“略”、空白和“见教材”',
    text: `一、简答题
1．简述甲。
2．简述乙。
3．简述丙。
参考答案
1．略
2．
3．见教材第12页。`,
    expected: `
5 简述甲。 = 略
5 简述乙。 = 
5 简述丙。 = 见教材第12页。`,
  },
  {
    name: '判断题答案混用√与错',
    text: `一、判断题
1．甲对。（　　）
2．乙对。（　　）
3．丙对。（　　）
答案：1．√ 2．错 3．正确`,
    expected: `
2 甲对。（　　） = 对
2 乙对。（　　） = 错
2 丙对。（　　） = 对`,
  },
  {
    name: '单选标题下有多选答案，题干两处矛盾',
    text: `一、单项选择题
1．甲是（ A ）
A．一　B．二　C．三
2．乙是（　　）
A．一　B．二　C．三
答案：1．B 2．AB`,
    expected: `
1 甲是（　　） | 一 | 二 | 三 = ?
3 乙是（　　） | 一 | 二 | 三 = AB`,
  },
  {
    name: '多项填空，答案一空多写法和单位',
    text: `二、填空题
1．三角形的内角和是____度。
2．圆的面积公式是____，周长公式是____。
3．1吨＝____千克＝____克。
答案
1．180
2．S＝πr²；C＝2πr（或C＝πd）
3．1000，1000000`,
    expected: `
7 三角形的内角和是____度。 = 180
7 圆的面积公式是____，周长公式是____。 = S＝πr²；C＝2πr（或C＝πd）
7 1吨＝____千克＝____克。 = 1000；1000000`,
  },
  {
    name: '材料一、材料二之间有表格和图，小题问号',
    text: `26．阅读材料，回答问题。（10分）
材料一
|年份|人口|
|1950|5.5亿|
|2020|14.1亿|
材料二 {pic}
（1）材料一反映了什么？（4分）
（2）结合材料二，说明原因。（6分）
【答案】（1）人口增长。
（2）经济发展。`,
    expected: `
6@10 *
  5 材料一反映了什么？ = 人口增长。
  5 结合材料二，说明原因。 = 经济发展。`,
  },
  {
    name: '大题分值“共30分，每题10分”，题干分值不同',
    text: `四、解答题（共3题，每题10分，共30分）
17．解方程x＋1＝2。
18．（12分）求1＋2＋3的值。
19．证明：对顶角相等。（8分）
答案
17．x＝1
18．6
19．略`,
    expected: `
5@10 解方程x＋1＝2。 = x＝1
5@12 求1＋2＋3的值。 = 6
5@8 证明：对顶角相等。 = 略`,
  },
  {
    name: '题库：选择题答案在选项上打勾',
    text: `1．我国的首都是（　　）
A．上海
B．北京√
C．广州
2．下列是直辖市的有（　　）
A．天津√
B．重庆√
C．南京`,
    expected: `
1 我国的首都是（　　） | 上海 | 北京 | 广州 = B
3 下列是直辖市的有（　　） | 天津 | 重庆 | 南京 = AB`,
  },
  {
    name: '试题与答案两栏表格，题干选项同格，换行',
    text: `|题目|答案|
|1．水的化学式是（　　） A．H2O B．CO2 C．O2|A|
|2．冰是固体。（　　）|√|`,
    expected: `
1 水的化学式是（　　） | H2O | CO2 | O2 = A
2 冰是固体。（　　） = 对`,
  },
  {
    name: '名词解释只有词，答案按词',
    text: `一、名词解释
1．光合作用
2．新陈代谢
参考答案
光合作用：绿色植物利用光能制造有机物的过程。
新陈代谢：生物体内物质和能量的变化。`,
    expected: `
5 光合作用 = ?
5 新陈代谢 = ?`,
  },
];

export const trapPapers = writtenPapers(written);
