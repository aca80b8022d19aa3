import { describe, expect, test } from 'vitest';
import { outlineOf, readText } from '../support/paper-lines.ts';

describe('lists of questions with their answers', () => {
  test('reads answers in stems, behind questions, underlined and in brackets', () => {
    const paper = readText(`2023年党建知识竞赛题库
一、单项选择题（共5题，每题2分）
1．中国共产党成立于（ C ）年。
A．1919 B．1920 C．1921 D．1922
2、党的根本宗旨是（B）。
A、改革开放 B、全心全意为人民服务 C、实事求是 D、群众路线
3. 党章规定，预备党员的预备期为（   ）。
A.半年    B.一年
C.一年半  D.两年
答案：B
4.“三严三实”是指（ ）
A.甲
B.乙
C.丙
D.丁
参考答案：D
解析：略。
5.下列说法正确的是（ ABD ）
A.甲 B.乙 C.丙 D.丁
二、多项选择题
1.党的三大作风是（ABC）。
A.理论联系实际
B.密切联系群众
C.批评与自我批评
D.艰苦奋斗
2.下列属于“四个自信”的有（ ）
A.道路自信  B.理论自信  C.制度自信  D.文化自信
【答案】ABCD
三、判断题
1.党员有权对党的工作提出建议。（√）
2.预备党员有表决权。( × )
3.党的最高领导机关是全国代表大会。（对）
4.入党自愿。
答案：正确
5.退党不自由。
答案：错
四、填空题
1.中国共产党的最高理想和最终目标是<u>实现共产主义</u>。
2.党的指导思想包括______、______。
答案：马克思列宁主义；毛泽东思想
3.党员的预备期为（一年）。
五、简答题
1.简述党的六大纪律。
答：1.政治纪律；
2.组织纪律；
3.廉洁纪律；
4.群众纪律；
5.工作纪律；
6.生活纪律。
2.简述党的民主集中制。
答：民主集中制是……`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 C",
        "2 单选题 B",
        "3 单选题 B",
        "4 单选题 D",
        "5 多选题 ABD",
        "1 多选题 ABC",
        "2 多选题 ABCD",
        "1 判断题 A",
        "2 判断题 B",
        "3 判断题 A",
        "4 判断题 A",
        "5 判断题 B",
        "1 填空题 实现共产主义",
        "2 填空题 马克思列宁主义@@毛泽东思想",
        "3 填空题 一年",
        "1 简答题 1.政治纪律； 2.组织纪律； 3.廉洁纪律； 4.群众纪律； 5.工作纪律； 6.生活纪律。",
        "2 简答题 民主集中制是……",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第18行：标题是单选题，答案有3个，按多选题读入，请核对",
        "第38行：没有写答案，按题干空格里的文字读入，请核对",
        "第41行：没有写答案，按题干空格里的文字读入，请核对",
      ]
    `);
  });

  test('reads the export of a platform, without the answers of the student', () => {
    const paper = readText(`一. 单选题（共2题，20分）
1. (单选题, 10分)计算机的核心是
A. CPU
B. 内存
C. 硬盘
D. 键盘
我的答案: A:CPU; 正确答案: A:CPU;
10分
答案解析：CPU是核心。
知识点：计算机组成
2. (单选题, 10分)1KB等于
A. 1000B
B. 1024B
我的答案: A:1000B; 正确答案: B:1024B;
0分
二. 多选题（共1题，10分）
3. (多选题, 10分)以下是输入设备的有
A. 键盘
B. 鼠标
C. 显示器
正确答案: A:键盘;B:鼠标;
三. 判断题（共1题，10分）
4. (判断题, 10分)内存是外部设备。
A. 对
B. 错
我的答案: 错 正确答案: 错
四. 填空题（共1题）
5. (填空题, 10分)世界上第一台电子计算机是____。
正确答案：
(1) ENIAC`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 单选题 B",
        "3 多选题 AB",
        "4 判断题 B",
        "5 填空题 ENIAC",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads tags beside the number', () => {
    const paper = readText(`1.【单选题】安全第一的意思是什么
A. 安全最重要
B. 生产最重要
答案：A
2.【多选题】下列哪些是劳保用品？
A. 安全帽
B. 手套
C. 手机
答案：A，B
3.【判断题】进入现场可以不戴安全帽。
答案：错
4.【填空题】火警电话是____，急救电话是____。
答案：119，120
5.【简答题】怎样预防触电？
答案：不碰电线。
穿绝缘鞋。`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 多选题 AB",
        "3 判断题 B",
        "4 填空题 119@@120",
        "5 简答题 不碰电线。 穿绝缘鞋。",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads questions without numbers, and says so', () => {
    const paper = readText(`电力安全题库
单选题
触电后首先应该（ ）
A、打电话 B、切断电源 C、喊人 D、离开
答案：B
灭火器的使用方法是（ ）
A、提拔握压 B、压握拔提 C、握拔提压 D、拔提压握
答案：A
判断题
高压电不能靠近。
答案：√
带电作业可以单人进行。
答案：×`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "? 单选题 B",
        "? 单选题 A",
        "? 判断题 A",
        "? 判断题 B",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第3行：这道题没有题号，请核对从哪里开始",
        "第6行：这道题没有题号，请核对从哪里开始",
        "第10行：这道题没有题号，请核对从哪里开始",
        "第12行：这道题没有题号，请核对从哪里开始",
      ]
    `);
  });

  test('reads options that touch each other, decimals, six ways to write a number', () => {
    const paper = readText(`1.2023年5月，我国发射了()
A.神舟十五号B.神舟十六号C.天舟六号D.嫦娥五号
2.3个苹果加2个苹果等于（  ）个
A.3B.4C.5D.6
3. 7.5%的酒精溶液属于（ ） A.悬浊液 B.溶液 C.乳浊液 D.胶体
4、（单选）首都是（ ）
(A)上海 (B)北京 (C)广州 (D)深圳
5、【多选】属于直辖市的是（ ）
（A）上海 （B）北京
（C）广州 （D）天津
6 下列说法正确的是（ ）
A 甲正确  B 乙正确  C 丙正确  D 丁正确
第7题：水的化学式是（ ）
A：H2O
B：CO2
C：O2
D：N2
答案：1-5：B C B B ABD 6、A 7、A`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 B",
        "2 单选题 C",
        "3 单选题 B",
        "4 单选题 B",
        "5 多选题 ABD",
        "6 单选题 A",
        "7 单选题 A",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads questions with labelled fields', () => {
    const paper = readText(`题目：甲是什么？
选项：
A. 一
B. 二
答案：A
解析：因为。
难度：易
知识点：数
题目：乙是什么？
选项：
A. 一
B. 二
答案：B
难度：难
【题型】单选题`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "? 单选题 A",
        "? 单选题 B",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads labels anywhere behind the question', () => {
    const paper = readText(`1. 甲是什么？
A. 一  B. 二  C. 三  D. 四
【答案】B
【难度】容易
【知识点】集合
【分值】5
【解析】因为甲。
2. 乙是什么？
A. 一  B. 二  C. 三  D. 四
答案：C    难度：中等    知识点：函数
解析：因为乙。
3. 丙是什么？ 答案：A
A. 一  B. 二  C. 三  D. 四
4. 丁？
A. 一  B. 二  C. 三  D. 四  （答案：D）
5. 戊 A.一 B.二 C.三 D.四 答案:B 解析:略
6. 己（    ）
    A. 一
    B. 二
    C. 三
    D. 四
    E. 五
    F. 六
正确答案是：A、C、E、F`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 B",
        "2 单选题 C",
        "3 单选题 A",
        "4 单选题 D",
        "5 单选题 B",
        "6 多选题 ACEF",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads a table with a question in each row', () => {
    const paper = readText(`安全生产题库
|序号|题型|题目|选项A|选项B|选项C|选项D|答案|
|1|单选题|安全第一|甲|乙|丙|丁|A|
|2|多选题|预防为主|甲|乙|丙|丁|AB|
|3|判断题|综合治理|||||对|`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 多选题 AB",
        "3 判断题 A",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads options in tables and as pictures', () => {
    const paper = readText(`一、选择题
1. 下列图形是轴对称图形的是（ ）
|A. {pic}|B. {pic}|C. {pic}|D. {pic}|
2. 下列搭配正确的是（ ）
|选项|物质|用途|
|A|氧气|灭火|
|B|氮气|保护气|
|C|二氧化碳|助燃|
|D|稀有气体|供呼吸|
3. 下列标志是（ ）
{pic} {pic} {pic} {pic}
A   B   C   D
4. 图中是（ ）
A.{pic}
B.{pic}
C.{pic}
D.{pic}
5. 看图选择
A. {pic} 甲  B. {pic} 乙
C. {pic} 丙  D. {pic} 丁
答案：1.A 2.B 3.C 4.D 5.A`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 单选题 B",
        "3 单选题 C",
        "4 单选题 D",
        "5 单选题 A",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第5行：选项在表格里，以字母作为选项，请核对",
      ]
    `);
  });

  test('reads bare letters, full-width signs, chapters, cases with their questions', () => {
    const paper = readText(`安全知识考试题库
第一章 总则
一、单项选择题
1 、安全生产工作的方针是【A】。
A 安全第一
B 效益第一
C 速度第一
D 质量第一
２．下列说法正确的有（   ）（多选）
Ａ．甲　Ｂ．乙　Ｃ．丙　Ｄ．丁
正确答案：Ａ、Ｃ
3. 特种作业人员必须持证上岗。
A.√  B.×
答案：A
4. Water is a liquid.
A. True
B. False
答案：B
第二章 细则
二、判断题（正确的打√，错误的打×）
1、甲。 答案：√
2、乙。 （错）
3、丙。 T
4、丁。（     ）
正确答案：正确
解析：《安全生产法》第五条：一、……。
三、案例分析题
案例一：某工厂发生火灾，造成3人死亡。事故原因是电线老化。工厂没有制定应急预案，也没有组织演练，消防通道被堵塞。
1、该事故的直接原因是（ ）。
A、电线老化 B、雷击 C、人为 D、地震
答案：A
2、该事故属于（ ）事故。
A、一般 B、较大 C、重大 D、特大
答案：B
案例二：某工地发生坍塌，造成5人受伤。经查，该工地没有搭设支护，施工人员没有经过培训，安全员不在现场。
3、事故的主要责任人是（ ）。
A、安全员 B、项目经理 C、工人 D、业主
答案：B`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 多选题 AC",
        "3 判断题 A",
        "4 判断题 B",
        "1 判断题 A",
        "2 判断题 B",
        "3 判断题 -",
        "4 判断题 A",
        "1～2 材料题 [单选题 A | 单选题 B]",
        "3 单选题 B",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第23行：缺少答案",
      ]
    `);
  });

  test('reads the list that a question bank application exports', () => {
    const paper = readText(`学习强国题库
1.党的十九大报告指出，（）是中国特色社会主义最本质的特征。
A.中国共产党领导
B.人民当家作主
正确答案：A
来源：十九大报告
2.“绿水青山就是金山银山”提出的时间是______年。
正确答案：2005
3.多选题：下列属于四大发明的是
A.造纸术
B.印刷术
C.丝绸
正确答案：AB
4.判断题：长江是中国最长的河流。
正确答案：正确
5. 以下关于“三会一课”的说法，正确的是（）
A、支部党员大会每季度召开1次
B、支部委员会每月召开1次
C、党小组会每月召开1-2次
D、以上都对
E、党课
答案: A B C D`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 填空题 2005",
        "3 多选题 AB",
        "4 判断题 A",
        "5 多选题 ABCD",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads headings in brackets, and answers in the brackets of blanks', () => {
    const paper = readText(`一、单选题（每题1分）
1、甲（  ）。
A、a
B、b
C、c
D、d
答案：A
2、乙（  ）。
A、a
B、b
C、c
D、d
答案：B
（二）多选题（每题2分）
1、丙（  ）。
A、a
B、b
C、c
D、d
答案：AB
三、判断题（每题1分）
1、丁。（  ）
答案：正确
2、戊。（  ）
答案：错误
四、填空题
1、（北京）是首都。
2、我国有（34）个省级行政区，（56）个民族。`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 单选题 B",
        "1 多选题 AB",
        "1 判断题 A",
        "2 判断题 B",
        "1 填空题 北京",
        "2 填空题 34@@56",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第27行：没有写答案，按题干空格里的文字读入，请核对",
        "第28行：没有写答案，按题干空格里的文字读入，请核对",
      ]
    `);
  });
});
