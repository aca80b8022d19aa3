import { describe, expect, test } from 'vitest';
import { outlineOf, readText } from '../support/paper-lines.ts';

describe('papers of the subjects', () => {
  test('reads history: instructions are left out, sections hand down points, answers stand at the end', () => {
    const paper = readText(`XX中学2023—2024学年第一学期期末考试
高一历史试题
注意事项：
1．答卷前，考生务必将自己的姓名、准考证号填写在答题卡上。
2．回答选择题时，选出每小题答案后，用铅笔把答题卡上对应题目的答案标号涂黑。
3．考试结束后，将本试卷和答题卡一并交回。
一、选择题：本题共6小题，每小题3分，共18分。在每小题给出的四个选项中，只有一项是符合题目要求的。
1．西周实行分封制的目的是
A．巩固统治        B．发展经济
C．加强皇权        D．促进统一
2．下列属于秦朝的措施有
①统一文字 ②修筑长城 ③推恩令 ④焚书坑儒
A．①②③    B．①②④    C．②③④    D．①③④
3．“贞观之治”出现在
A．汉朝    B．隋朝    C．唐朝    D．宋朝
4．图1反映的是
{pic}
A．曲辕犁    B．筒车    C．耧车    D．水排
5．明朝设立的机构是
A．内阁    B．军机处    C．尚书省    D．枢密院
6．阅读下表，说明
|年代|人口|
|1700|1.5亿|
|1800|3亿|
A．人口增长    B．人口减少    C．经济衰退    D．没有变化
二、非选择题：本题共2小题，共32分。
7．（14分）阅读材料，回答问题。
材料一　秦王扫六合……
——摘自《史记》
材料二　汉承秦制……
（1）根据材料一，概括秦朝的措施。（6分）
（2）根据材料二，说明汉朝的变化。（8分）
8．（18分）阅读下列材料，完成下列要求。
材料　唐朝……
从材料中提炼一个观点，并加以论述。（要求：观点明确，史论结合）
高一历史参考答案
一、选择题
1-5 ABCBA  6 A
二、非选择题
7．（1）措施：设郡县；统一文字。
（2）变化：推恩令。
8．略`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 单选题 B",
        "3 单选题 C",
        "4 单选题 B",
        "5 单选题 A",
        "6 单选题 A",
        "7 材料题 [简答题 措施：设郡县；统一文字。 | 简答题 变化：推恩令。]",
        "8 简答题 略",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads English: listening, reading by passage, seven of five, cloze, blanks in a text, writing', () => {
    const paper = readText(`2024年普通高等学校招生全国统一考试
英语
第一部分 听力（共两节，满分30分）
第一节（共2小题；每小题1.5分，满分3分）
听下面2段对话。每段对话后有一个小题，从题中所给的A、B、C三个选项中选出最佳选项。
1. What will the man do?
A. Go home.      B. Go shopping.     C. Stay here.
2. Where are the speakers?
A. In a shop.    B. At home.         C. At school.
第二节（共3小题；每小题1.5分，满分4.5分）
听第3段材料，回答第3、4题。
3. What is the woman?
A. A teacher.    B. A nurse.    C. A driver.
4. When will they meet?
A. At 5.    B. At 6.    C. At 7.
听第4段材料，回答第5题。
5. Why is he late?
A. Rain.    B. Traffic.    C. Illness.
第二部分 阅读（共两节，满分50分）
第一节（共4小题；每小题2.5分，满分10分）
阅读下列短文，从每题所给的A、B、C、D四个选项中选出最佳选项。
A
The museum is open every day from 9 am. It was built in 1999 and has a large collection of paintings from all over the world.
Tickets cost $5.
21. When was the museum built?
A. In 1999.
B. In 2009.
C. In 2019.
D. In 1989.
22. How much is a ticket?
A. $5.    B. $6.    C. $7.    D. $8.
B
Many people believe that reading is good for the mind. Reading every day helps people to think clearly and to sleep well.
23. What does the text say about reading?
A. It is boring.
B. It helps people think.
C. It is expensive.
D. It is old.
24. What is the best title?
A. Reading.
B. Sleeping.
C. Eating.
D. Walking.
第二节（共5小题；每小题2.5分，满分12.5分）
阅读下面短文，从短文后的选项中选出可以填入空白处的最佳选项。选项中有两项为多余选项。
How to keep fit? __36__ First, run every day. __37__ Then eat well. __38__ Sleep early. __39__ Be happy. __40__
A. It is easy.
B. It helps.
C. Do not worry.
D. Eat fruit.
E. Go to bed at ten.
F. Smile.
G. Drink water.
第三部分 语言运用（共两节，满分30分）
第一节（共3小题；每小题1分，满分3分）
阅读下面短文，从每题所给的A、B、C、D四个选项中选出可以填入空白处的最佳选项。
Once there was a __41__ man who lived in a __42__ house near the sea. He went to the town every __43__ to buy food for his family.
41. A. poor    B. rich    C. tall    D. short
42. A. big    B. small    C. old    D. new
43. A. day    B. week    C. month    D. year
第二节（共3小题；每小题1.5分，满分4.5分）
阅读下面短文，在空白处填入1个适当的单词或括号内单词的正确形式。
The city __56__ (build) in 1900. It is __57__ beautiful place. People __58__ (love) it.
第四部分 写作（共两节，满分40分）
第一节（满分15分）
假定你是李华，请给你的英国朋友Tom写一封邮件，内容包括：
1. 介绍活动；
2. 发出邀请。
注意：1. 词数80左右；
2. 可以适当增加细节。
参考答案
1-5 BACBA  21-24 AABA  36-40 ABDEF 41-43 ABC
56. was built  57. a  58. love`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 B",
        "2 单选题 A",
        "3～4 材料题 [单选题 C | 单选题 B]",
        "5 单选题 A",
        "21～22 材料题 [单选题 A | 单选题 A]",
        "23～24 材料题 [单选题 B | 单选题 A]",
        "36～40 材料题 [单选题 A | 单选题 B | 单选题 D | 单选题 E | 单选题 F]",
        "41～43 材料题 [单选题 A | 单选题 B | 单选题 C]",
        "56～58 材料题 [填空题 was built | 填空题 a | 填空题 love]",
        "一 简答题 -",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第25行：题号从5跳到21，请核对中间的题目",
        "第53行：导入的选择题最多6个选项",
        "第58行：题号从24跳到41，请核对中间的题目",
        "第66行：缺少答案",
        "第65行：这一大题没有题号，作为一道题读入，请核对",
      ]
    `);
  });

  test('reads Chinese: readings with their questions, points, dictation, an essay', () => {
    const paper = readText(`一、现代文阅读（35分）
（一）现代文阅读Ⅰ（本题共3小题，17分）
阅读下面的文字，完成1～3题。
材料一：
中国文化源远流长，博大精深。自古以来，读书人以天下为己任，修身齐家治国平天下。
材料二：
今天的我们应当如何继承传统？
（摘编自某某《论传统》）
1. 下列对材料相关内容的理解和分析，不正确的一项是（3分）
A. 甲甲甲
B. 乙乙乙
C. 丙丙丙
D. 丁丁丁
2. 根据材料内容，下列说法正确的一项是（3分）
A. 甲甲
B. 乙乙
C. 丙丙
D. 丁丁
3. 如何理解“传统”？请结合材料简要分析。（4分）
（二）现代文阅读Ⅱ（本题共2小题，16分）
阅读下面的文字，完成4～5题。
故乡
我冒了严寒，回到相隔二千余里，别了二十余年的故乡去。
4. 文中画线句子有何作用？（6分）
5. 请分析“我”的形象。（10分）
二、语言文字运用（20分）
6. 下列句子中没有语病的一项是（3分）
A. 通过学习，使我进步。
B. 他高兴得跳起来。
C. 大约三十岁左右。
D. 防止事故不再发生。
三、名篇名句默写（6分）
7. 补写出下列句子中的空缺部分。（6分）
（1）学而时习之，____________？
（2）____________，不亦乐乎？
四、写作（60分）
8. 阅读下面的材料，根据要求写作。（60分）
有人说，读书要多；有人说，读书要精。
请写一篇文章。要求：选准角度，确定立意，明确文体，自拟标题；不少于800字。
参考答案
1. C（3分）
2. B（解析：A项错误。）
3. ①传统是根；②传统要创新。（每点2分）
4. 承上启下。
5. ①思乡；②悲凉。
6. B  A项缺主语；C项重复；D项否定不当。
7. （1）不亦说乎 （2）有朋自远方来
8. 略`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1～3 材料题 [单选题 C | 单选题 B | 简答题 ①传统是根；②传统要创新。（每点2分）]",
        "4～5 材料题 [简答题 承上启下。 | 简答题 ①思乡；②悲凉。]",
        "6 单选题 B",
        "7 材料题 [填空题 不亦说乎 | 填空题 有朋自远方来]",
        "8 简答题 略",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads politics: statements ①②③④ are part of the stem', () => {
    const paper = readText(`2023年高考政治真题
一、选择题：本题共24小题，每小题2分，共48分。在每小题给出的四个选项中，只有一项是符合题目要求的。
1．2023年，我国经济总体回升向好。这表明
①我国经济韧性强 ②市场起决定作用
③政府职能转变 ④宏观调控有效
A．①②
B．①④
C．②③
D．③④
2．下列传导路径正确的是：
①降低税率→企业成本下降→扩大生产
②提高利率→贷款增加
③增加支出→需求上升
④减少货币→物价上涨
A. ①③　　B. ①④　　C. ②③　　D. ②④
二、非选择题：本题共2小题，共52分。
38．阅读材料，完成下列要求。（14分）
党的二十大报告指出……
（1）结合材料，运用经济知识，说明……（8分）
（2）结合材料，运用政治知识，分析……（6分）
39．阅读材料，完成下列要求。（12分）
中华优秀传统文化……
结合材料并运用《文化生活》知识，说明为什么……
参考答案
1.B 2.A
38.（1）①坚持……。②发展……。③……
（2）①……②……
39.①文化……；②……`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 B",
        "2 单选题 A",
        "38 材料题 [简答题 ①坚持……。②发展……。③…… | 简答题 ①……②……]",
        "39 简答题 ①文化……；②……",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第17行：题号从2跳到38，请核对中间的题目",
      ]
    `);
  });

  test('reads geography: a text before some questions is their material', () => {
    const paper = readText(`一、单选题（每题2分）
下图为我国某区域等高线地形图。读图完成1～2题。
{pic}
1．图中甲地的海拔可能是
A．100米   B．200米   C．300米   D．400米
2．乙地的地形是
A．山脊   B．山谷   C．鞍部   D．陡崖
某研究小组对黄土高原的水土流失进行了调查，结果如下表所示。据此完成3～5题。
3．水土流失的主要原因是
A．植被破坏  B．降水  C．地震  D．火山
4．治理措施是
A．种树  B．开荒  C．放牧  D．采矿
5．治理的意义是
A．保持水土  B．发展工业  C．增加人口  D．扩大城市
6．地球的形状是
A．球体  B．平面  C．正方体  D．圆柱
参考答案：1.C 2.B 3.A 4.A 5.A 6.A`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1～2 材料题 [单选题 C | 单选题 B]",
        "3～5 材料题 [单选题 A | 单选题 A | 单选题 A]",
        "6 单选题 A",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads mathematics: blanks, parts, solutions that begin with 解', () => {
    const paper = readText(`数学试卷
一、填空题（本大题共3小题，每小题3分，共9分）
1．计算：2+3=________．
2．若x=2，则x²=________，x³=________．
3．方程x-1=0的解为（    ）．
二、解答题（共2题，共20分）
4．（本题10分）计算：（1）1+1；（2）2×3．
5．（10分）解方程：
(1) x+1=2;
(2) 2x=6.
三、选择题
6．下列是质数的是（　　）
A．4　　　B．6　　　C．7　　　D．9
参考答案与评分标准
一、填空题
1．5  2．4，8  3．x=1
二、解答题
4．解：（1）2；（2）6．
5．解：（1）x=1；
（2）x=3．
三、选择题
6．C`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 填空题 5",
        "2 填空题 4@@8",
        "3 填空题 x=1",
        "4 简答题 解：（1）2；（2）6．",
        "5 材料题 [简答题 x=1； | 简答题 x=3．]",
        "6 单选题 C",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads physics: single, multiple and written questions with points', () => {
    const paper = readText(`第Ⅰ卷（选择题 共60分）
一、单项选择题：本题共2小题，每小题4分，共8分。
1．关于力（  ）
A．甲  B．乙
C．丙  D．丁
2．关于速度（  ）
A．甲  B．乙
C．丙  D．丁
二、多项选择题：本题共2小题，每小题6分，共12分。在每小题给出的选项中，有多项符合题目要求。全部选对的得6分，选对但不全的得3分，有选错的得0分。
3．关于电场（  ）
A．甲  B．乙
C．丙  D．丁
4．关于磁场（  ）
A．甲  B．乙
C．丙  D．丁
第Ⅱ卷（非选择题 共40分）
三、非选择题：本题共2小题，共40分。
5．（6分）某同学测量电阻。
（1）选用的器材是______；（2分）
（2）实验结论是______。（4分）
6．（14分）如图所示，求：
（1）速度v；
（2）时间t。
参考答案
1.A  2.B  3.AC  4.BD
5.（1）电压表（2）电阻为5Ω
6.（1）v=2m/s  （2）t=3s`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 单选题 B",
        "3 多选题 AC",
        "4 多选题 BD",
        "5 材料题 [填空题 电压表 | 填空题 电阻为5Ω]",
        "6 材料题 [简答题 v=2m/s | 简答题 t=3s]",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads a paper for children: ①②③ as options, brackets in front of numbers, sections in the key', () => {
    const paper = readText(`三年级数学期末试卷
班级：______ 姓名：______ 得分：______
一、填空。（每空1分，共10分）
1. 3+5=（   ），10-4=（   ）。
2. 1米=（   ）厘米。
二、判断题。（对的打“√”，错的打“×”）
（  ）1. 正方形有4条边。
（  ）2. 0除以任何数都得0。
三、选择题。（把正确答案的序号填在括号里）
1. 下面是角的是（  ）。
① 三角形  ② 线段  ③ 圆
2. 最大的数是（  ）。
A. 10  B. 100  C. 1000
四、计算题。
1. 口算。
3×4=    5×6=    72÷9=
2. 列竖式计算。
123+456=      900-321=
五、解决问题。
1. 小明有5元，买笔用了2元，还剩多少元？
2. 一辆车每小时行60千米，3小时行多少千米？
参考答案：
一、1. 8  6   2. 100
二、1.√ 2.×
三、1. ①  2. C
四、1. 12 30 8   2. 579 579
五、1. 5-2=3（元） 2. 60×3=180（千米）`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 填空题 8@@6",
        "2 填空题 100",
        "1 判断题 A",
        "2 判断题 B",
        "1 单选题 A",
        "2 单选题 C",
        "1 简答题 12 30 8",
        "2 简答题 579 579",
        "1 简答题 5-2=3（元）",
        "2 简答题 60×3=180（千米）",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第11行：①②③按选项A、B、C读入，请核对",
      ]
    `);
  });

  test('reads lower grades of English: the answer in front of the number, ranges in the key', () => {
    const paper = readText(`Ⅰ．单项选择
( B )1. —How are you? —____.
A. Good B. Fine C. Bad
( )2. I ____ a student.
A. am B. is C. are
Ⅱ．根据句意及首字母填空
3. My n____ is Tom.
4. She is a t____.
Ⅲ. 完形填空
Tom is a boy. He __5__ football every day. He __6__ it very much. His friends also like to play with him.
( )5. A. play B. plays C. playing
( )6. A. like B. likes C. liking
Ⅳ．书面表达
请以My family为题写一篇短文，不少于50词。
参考答案：
1.B 2.A 3.name 4.teacher 5-6 BB
书面表达：略`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 B",
        "2 单选题 A",
        "3 填空题 name",
        "4 填空题 teacher",
        "5～6 材料题 [单选题 B | 单选题 B]",
        "? 简答题 略",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第13行：这一大题没有题号，作为一道题读入，请核对",
      ]
    `);
  });

  test('reads solutions with 分析, 详解 and 小问详解', () => {
    const paper = readText(`一、选择题（本题共2小题，每小题4分）
1. 下列说法正确的是（    ）
A. 速度是矢量    B. 质量是矢量
C. 时间是矢量    D. 温度是矢量
【答案】A
【解析】
【详解】A．速度既有大小又有方向，是矢量，故A正确；
B．质量是标量，故B错误；
CD．时间、温度是标量，故CD错误。
故选A。
2. 物体做匀速直线运动，则（    ）
A. 合力为零
B. 合力不为零
C. 速度变化
D. 加速度不为零
【答案】A
【解析】
【分析】根据牛顿第一定律分析。
【详解】匀速直线运动合力为零。
故选A。
【点睛】掌握牛顿第一定律。
二、实验题
3. 某同学用打点计时器测加速度。
（1）打点计时器使用______电源；
（2）加速度a=______m/s2。
【答案】    ①. 交流    ②. 2.0
【解析】
【小问1详解】
打点计时器使用交流电源。
【小问2详解】
由逐差法得2.0。
三、解答题
4. 如图，质量m=2kg的物体从静止开始下滑。求：
{pic}
（1）加速度大小；
（2）2s末的速度。
【答案】（1）5m/s2；（2）10m/s
【解析】
【详解】（1）由牛顿第二定律得a=5m/s2
（2）由v=at得v=10m/s`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 单选题 A",
        "3 材料题 [填空题 交流 | 填空题 2.0]",
        "4 材料题 [简答题 5m/s2 | 简答题 10m/s]",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads biology: an empty table for answers is left out', () => {
    const paper = readText(`2022-2023学年度第二学期期中考试 七年级生物 答题卡
一、选择题（每题只有一个正确答案，共20分，每小题2分）
|题号|1|2|3|4|5|
|答案||||||
1、甲的是（  ）
A、a  B、b
C、c  D、d
2、乙的是（  ）
A、a  B、b
C、c  D、d
3、丙的是（  ）
A、a  B、b
C、c  D、d
二、识图作答题
4．右图是细胞结构示意图，请据图回答：
{pic}
（1）图中①是__________，②是__________。
（2）细胞的控制中心是[  ]__________。
5．请分析实验。
{pic}
(1)该实验的变量是________；
(2)实验的结论是________________。
七年级生物参考答案
一、
|题号|1|2|3|
|答案|A|B|C|
二、
4．（1）细胞壁  细胞膜  （2）④细胞核
5．（1）光照  （2）光合作用需要光`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 单选题 B",
        "3 单选题 C",
        "4 材料题 [填空题 细胞壁@@细胞膜 | 填空题 ④细胞核]",
        "5 材料题 [填空题 光照 | 填空题 光合作用需要光]",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads chemistry: options over two lines, parts beside the number, a key without a title', () => {
    const paper = readText(`高二化学期中试卷
可能用到的相对原子质量：H 1  C 12  O 16
一、选择题（本题包括2小题，每小题3分，共6分。每小题只有一个选项符合题意）
1．下列有关说法正确的是
A．0.1 mol/L的盐酸中
c(H+)=0.1 mol/L
B．1 mol O2
C．22.4 L
D．以上都不对
2．已知：①2H2+O2=2H2O ②C+O2=CO2，则
A．①是放热反应  B．②是吸热反应
C．①②都是放热反应  D．无法判断
二、填空题（本题包括1小题，共10分）
3．（10分）（1）写出水的电子式______________。
（2）25℃时，pH=_______。
（3）下列说法正确的是______（填字母）。
a．甲  b．乙  c．丙
三、计算题（共1题，共8分）
4．将2.3 g钠投入水中。计算：
(1)生成氢气的体积（标准状况）；
(2)溶液的物质的量浓度。
答案：1-2 DC
3．（1）略（2）7（3）ac（每空2分）
4．（1）1.12 L
（2）0.5 mol/L`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 D",
        "2 单选题 C",
        "3 材料题 [简答题 略 | 填空题 7 | 填空题 ac]",
        "4 材料题 [简答题 1.12 L | 简答题 0.5 mol/L]",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads English passages before the first question', () => {
    const paper = readText(`阅读理解专项训练
A
Tom is a student. He likes playing football. Every day he gets up early and runs to school with his friends.
(  )1. What does Tom like?
A. Football. B. Basketball. C. Tennis.
(  )2. How does Tom go to school?
A. By bus. B. On foot. C. By car.
B
Lily is a teacher. She works in a school near her home. She teaches English and she loves her students very much.
(  )3. What does Lily do?
A. A nurse. B. A teacher. C. A doctor.
(  )4. Where does she work?
A. In a shop. B. In a school. C. In a bank.
Keys: 1-4 ABBB`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1～2 材料题 [单选题 A | 单选题 B]",
        "3～4 材料题 [单选题 B | 单选题 B]",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads mathematics with solutions: lists within them, wide spaces as blanks', () => {
    const paper = readText(`一、选择题
1.下列函数是奇函数的是（   ）
A.{pic}  B.{pic}  C.{pic}  D.{pic}
【答案】B
【分析】根据奇函数的定义判断.
【详解】因为f(-x)=-f(x)，
1.当x>0时……
2.当x<0时……
所以选B.
2.若x>1，则（   ）
A.1<x  B.x<0  C.x=0  D.x=-1
【答案】A
【详解】由x>1得.
故选：A
二、多选题
3.下列说法正确的是（   ）
A.甲
B.乙
C.丙
D.丁
【答案】ACD
【详解】对于A，正确；
对于B，错误；
故选：ACD
三、填空题
4.函数f(x)的定义域为       .
【答案】{x|x>0}/(0,+∞)
【详解】略
5.已知a=1,b=2，则a+b=    ，ab=    .
【答案】    3    2
四、解答题
6.已知数列{an}满足a1=1.
(1)求a2;
(2)求{an}的通项公式.
【答案】(1)a2=3
(2)an=2n-1
【分析】（1）代入；（2）累加.
【详解】（1）a2=a1+2=3.
（2）an=2n-1.`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 B",
        "2 单选题 A",
        "3 多选题 ACD",
        "4 填空题 {x|x>0}/(0,+∞)",
        "5 填空题 3@@2",
        "6 材料题 [简答题 a2=3 | 简答题 an=2n-1]",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第26行：题干中的空格按填空读入，请核对",
        "第29行：题干中的空格按填空读入，请核对",
      ]
    `);
  });

  test('reads an examination whose questions are 一、 二、 三、', () => {
    const paper = readText(`《管理学》期末考试题
一、试述管理的四大职能及其关系。（20分）
二、什么是激励？请结合实例说明。（30分）
三、如何理解“以人为本”？（50分）`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "一 简答题 -",
        "二 简答题 -",
        "三 简答题 -",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第2行：缺少答案",
        "第3行：缺少答案",
        "第4行：缺少答案",
      ]
    `);
  });

  test('reads a self-study examination: parts, sections, one question worth all points', () => {
    const paper = readText(`第一部分 选择题
一、单项选择题：本大题共2小题，每小题1分，共2分。在每小题列出的备选项中只有一项是最符合题目要求的，请将其选出。
1.甲是
A.a         B.b
C.c         D.d
2.乙是
A.a         B.b
C.c         D.d
二、多项选择题：本大题共1小题，每小题2分，共2分。在每小题列出的备选项中至少有两项是符合题目要求的，请将其选出，错选、多选或少选均无分。
3.丙是
A.a         B.b         C.c
D.d         E.e
第二部分 非选择题
三、名词解释题：本大题共2小题，每小题3分，共6分。
4.丁
5.戊
四、简答题：本大题共1小题，每小题6分，共6分。
6.简述己。
五、论述题：本大题共1小题，共12分。
7.试述庚。
参考答案
一、单项选择题
1.A 2.D
二、多项选择题
3.ABE
三、名词解释题
4.丁是……。
5.戊是……。
四、简答题
6.（1）己一；（1分）
（2）己二。（2分）
五、论述题
7.答：第一，……`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 单选题 D",
        "3 多选题 ABE",
        "4 简答题 丁是……。",
        "5 简答题 戊是……。",
        "6 简答题 （1）己一；（1分） （2）己二。（2分）",
        "7 简答题 答：第一，……",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });
});
