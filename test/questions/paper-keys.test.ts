import { describe, expect, test } from 'vitest';
import { outlineOf, readText } from '../support/paper-lines.ts';

describe('answer keys', () => {
  test('reads a table, rows of marks and blanks', () => {
    const paper = readText(`一、选择题（每小题2分）
1、下列生物中属于植物的是（  ）
A、猫 B、松树 C、蘑菇 D、细菌
2、细胞的控制中心是（  ）
A、细胞膜 B、细胞质 C、细胞核 D、液泡
3、植物的光合作用在（  ）进行
A、叶绿体 B、线粒体 C、细胞壁 D、液泡
二、判断题
4、所有细胞都有细胞壁。（  ）
5、绿色植物能进行光合作用。（  ）
三、填空题（每空1分）
6、呼吸作用的场所是______，光合作用的场所是______。
7、种子萌发需要______。
答案：
|题号|1|2|3|
|答案|B|C|A|
4.× 5.√
6.线粒体 叶绿体
7.水分、空气和适宜的温度`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 B",
        "2 单选题 C",
        "3 单选题 A",
        "4 判断题 B",
        "5 判断题 A",
        "6 填空题 线粒体@@叶绿体",
        "7 填空题 水分、空气和适宜的温度",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads numbers in brackets, by section', () => {
    const paper = readText(`信息技术试题
一、单选
（1）下列属于操作系统的是（ ）。
A. Word  B. Windows  C. Excel  D. PPT
（2）CPU是指（ ）。
A. 中央处理器  B. 内存  C. 硬盘  D. 显卡
（3）1字节等于（ ）位。
A. 4  B. 8  C. 16  D. 32
二、判断
（1）Word是操作系统。（ ）
（2）Windows是操作系统。（ ）
答案
一、（1）B （2）A （3）B
二、（1）× （2）√`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "(1) 单选题 B",
        "(2) 单选题 A",
        "(3) 单选题 B",
        "(1) 判断题 B",
        "(2) 判断题 A",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads letters without numbers, by section', () => {
    const paper = readText(`第一单元测试
一、 选择题
1、甲（ ）
A、a B、b C、c D、d
2、乙（ ）
A、a B、b C、c D、d
3、丙（ ）
A、a B、b C、c D、d
二、 多选题
1、丁（ ）
A、a B、b C、c D、d
2、戊（ ）
A、a B、b C、c D、d
三、 判断题
1、己（ ）
2、庚（ ）
3、辛（ ）
答案
一、选择题：A B C
二、多选题：ABC  BCD
三、判断题：√ × √`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 单选题 B",
        "3 单选题 C",
        "1 多选题 ABC",
        "2 多选题 BCD",
        "1 判断题 A",
        "2 判断题 B",
        "3 判断题 A",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads a second file', () => {
    const paper = readText(
      `八年级物理试卷
一、选择题
1．声音在（ ）中传播最快
A．空气 B．水 C．钢铁 D．真空
2．光的反射定律中（ ）
A．甲 B．乙 C．丙 D．丁
二、填空题
3．光在真空中的速度是____m/s。
4．力的单位是____。
三、计算题
5．某车10s走了100m，求速度。`,
      `八年级物理答案
一、选择题
1. C
2. A
二、填空题
3. 3×10^8
4. 牛顿（N）
三、计算题
5. 解：v=s/t=100m/10s=10m/s
答：速度为10m/s。`,
    );
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 C",
        "2 单选题 A",
        "3 填空题 3×10^8",
        "4 填空题 牛顿（N）",
        "5 简答题 解：v=s/t=100m/10s=10m/s 答：速度为10m/s。",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('names every contradiction between answers', () => {
    const paper = readText(`一、单选题
1. 甲（A）
A. a  B. b  C. c  D. d
答案：B
2. 乙（ ）
A. a  B. b  C. c  D. d
答案：A
3. 丙（ ）
A. a  B. b  C. c  D. d
参考答案
1. B 2. A 3. C
答案解析
1. B 因为甲
2. C 因为乙
3. C 因为丙`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 B",
        "2 单选题 A",
        "3 单选题 C",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第2行：答案不一致：第4行是“B”，这里是“A”，请核对",
        "第14行：答案不一致：第7行是“A”，这里是“C 因为乙”，请核对",
      ]
    `);
  });

  test('reads lists within answers as answers', () => {
    const paper = readText(`一、论述题
1、试述新时代的意义。
答案要点：
（1）第一点。
（2）第二点。
（3）第三点。
2、谈谈你对改革的认识。
答：一、改革是动力。
二、改革要全面。
三、改革要深入。
3、案例分析：张某……
问题：
（1）张某是否违法？
（2）应当如何处理？
答案：（1）违法。
（2）罚款。
二、名词解释
1、宪法：
国家的根本法。
2、法律
答：国家制定的规范。`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 简答题 （1）第一点。 （2）第二点。 （3）第三点。",
        "2 简答题 一、改革是动力。 二、改革要全面。 三、改革要深入。",
        "3 材料题 [简答题 违法。 | 简答题 罚款。]",
        "1 简答题 -",
        "2 简答题 国家制定的规范。",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第18行：缺少答案",
      ]
    `);
  });

  test('reads answers of parts in one line', () => {
    const paper = readText(`（2）诗歌鉴赏
1.阅读下面这首诗，完成（1）～（2）题。
静夜思
李白
床前明月光，疑是地上霜。
举头望明月，低头思故乡。
（1）“霜”写出了什么？（2分）
（2）这首诗表达了怎样的感情？（3分）
2.默写。
（1）海内存知己，________。
（2）________，更上一层楼。
（3）春眠不觉晓，________。
答案：
1.（1）月光的洁白。（2）思乡之情。
2.（1）天涯若比邻（2）欲穷千里目（3）处处闻啼鸟`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 材料题 [简答题 月光的洁白。 | 简答题 思乡之情。]",
        "2 材料题 [填空题 天涯若比邻 | 填空题 欲穷千里目 | 填空题 处处闻啼鸟]",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('says what is missing, jumps or begins again', () => {
    const paper = readText(`一、单选题（共5题）
1. 甲（ ）
A. 一 B. 二 D. 四
2. 乙（ ）
A. 一
B. 二
C. 三
D. 四
答案：E
4. 丙（ ）
A. 一
B. 二
C. 三
D. 四
答案：A
1. 丁（ ）
A. 一
B. 二
C. 三
D. 四
答案：B
2. 戊（ ）
A. 一
B. 二
C. 三
D. 四
参考答案
4. B`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 -",
        "2 单选题 -",
        "4 单选题 A",
        "1 单选题 B",
        "2 单选题 -",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`
      [
        "第2行：缺少答案",
        "第3行：选项字母不连续，可能缺少选项或两个选项连在一起，请核对",
        "第9行：答案E没有对应的选项",
        "第28行：答案不一致：第15行是“A”，这里是“B”，请核对",
        "第10行：题号从2跳到4，请核对中间的题目",
        "第16行：题号从4回到1，前面没有大题标题，请核对",
        "第22行：缺少答案",
      ]
    `);
  });

  test('reads definitions and written answers by section', () => {
    const paper = readText(`一、填空题
1、____是我国的首都。
2、地球的卫星是____。
二、名词解释
3、光年
4、恒星
三、简答题
5、什么是黑洞？
6、简述日食的成因。
答案：
一、填空题
1、北京；2、月球
二、名词解释
3、光年：光在真空中一年走过的距离。
4、恒星：自己发光的天体。
三、简答题
5、答：黑洞是……
6、答：（1）月球位于太阳和地球之间；
（2）月球的影子落在地球上。`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 填空题 北京",
        "2 填空题 月球",
        "3 简答题 光年：光在真空中一年走过的距离。",
        "4 简答题 恒星：自己发光的天体。",
        "5 简答题 答：黑洞是……",
        "6 简答题 答：（1）月球位于太阳和地球之间； （2）月球的影子落在地球上。",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads a second file that repeats the questions with their solutions', () => {
    const paper = readText(
      '一、选择题\n1. 甲（  ）\nA. 一  B. 二\n2. 乙（  ）\nA. 一  B. 二\n二、简答题\n3. 丙？',
      '一、选择题\n1. 甲（  ）\nA. 一  B. 二\n【答案】B\n【解析】因为甲。\n2. 乙（  ）\nA. 一  B. 二\n【答案】A\n二、简答题\n3. 丙？\n【答案】丁',
    );
    expect(outlineOf(paper)).toEqual(['1 单选题 B', '2 单选题 A', '3 简答题 丁']);
    expect(paper.questions[0]?.analysis).toBe('因为甲。');
    expect(paper.questions.flatMap(({ notes }) => notes)).toEqual([]);
  });

  test('reads a text with numbered blanks as a material, whose parts share the list of options', () => {
    const paper = readText(
      '一、单选题\n1. 甲（  ）\nA. 一  B. 二\n二、阅读填空\nFirst __2__ then __3__ at last __4__.\nA. one\nB. two\nC. three\nD. four\nE. five\n答案\n1. B\n2-4 CAE',
    );
    expect(outlineOf(paper)).toEqual(['1 单选题 B', '2～4 材料题 [单选题 C | 单选题 A | 单选题 E]']);
    expect(paper.questions[1]?.parts.map(({ options }) => options.length)).toEqual([5, 5, 5]);
    expect(paper.questions[1]?.notes).toEqual([]);
  });

  test('keeps every line of a paper: in a question, or left out by name', () => {
    const text = [
      '某校试卷',
      '姓名：____',
      '一、单选题',
      '1. 甲（  ）',
      'A. 一',
      'B. 二',
      '以下是第二部分',
      '二、简答题',
      '2. 乙？',
      '答：丙',
      '丁',
    ];
    const paper = readText(text.join('\n'));
    const kept = JSON.stringify(paper);
    for (const line of ['某校试卷', '姓名', '单选题', '甲', '一', '二', '以下是第二部分', '简答题', '乙', '丙', '丁'])
      expect(kept).toContain(line);
  });

  test('reads long lines and long papers in time', () => {
    const question = (index: number) =>
      `${index}. 第${index}题的题干（  ）\nA. 一${index}  B. 二  C. 三  D. 四\n答案：${'ABCD'.charAt(index % 4)}`;
    const paper = `${'很长的一行：'.repeat(20_000)}\n${Array.from({ length: 2000 }, (_, index) => question(index + 1)).join('\n')}`;
    const started = process.cpuUsage();
    expect(readText(paper).questions).toHaveLength(2000);
    const used = process.cpuUsage(started);
    expect((used.user + used.system) / 1e6).toBeLessThan(10);
  });

  test('reads numbers above letters, aligned by tabs', () => {
    const paper = readText(`一、选择题
1．甲（  ）
A．a  B．b  C．c  D．d
2．乙（  ）
A．a  B．b  C．c  D．d
3．丙（  ）
A．a  B．b  C．c  D．d
参考答案
题号	1	2	3
答案	A	C	D`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 A",
        "2 单选题 C",
        "3 单选题 D",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('reads solutions with 试题分析 and 考点', () => {
    const paper = readText(`一、选择题
1.甲（  ）
A.a B.b C.c D.d
【答案】B
【解析】
试题分析：A错误；B正确。故选B。
考点：甲的考查。
2.乙（  ）
A.a B.b C.c D.d
【答案】C
【解析】
试题分析：略
考点：乙
二、综合题
3.阅读图文材料，完成下列问题。
材料一 某地位于……
材料二 {pic}
（1）描述该地的气候特征。
（2）分析原因。
【答案】（1）高温多雨。
（2）受季风影响。
【解析】
试题分析：（1）略（2）略
考点：气候`);
    expect(outlineOf(paper)).toMatchInlineSnapshot(`
      [
        "1 单选题 B",
        "2 单选题 C",
        "3 材料题 [简答题 高温多雨。 | 简答题 受季风影响。]",
      ]
    `);
    expect(paper.questions.flatMap(({ notes }) => notes)).toMatchInlineSnapshot(`[]`);
  });

  test('flags an answer that the key contradicts', () => {
    const paper = readText(`一、单选题
1. 1+1=（  ）
A. 1 B. 2 C. 3 D. 4
答案：B
2. 2+2=（  ）
A. 1 B. 2 C. 3 D. 4
答案：D
参考答案
1. C
2. D`);
    expect(outlineOf(paper)).toEqual(['1 单选题 B', '2 单选题 D']);
    expect(paper.questions.map(({ notes }) => notes)).toEqual([
      ['第9行：答案不一致：第4行是“B”，这里是“C”，请核对'],
      [],
    ]);
  });

  test('flags two answers of a question that differ', () => {
    const paper = readText(`1. 甲（  ）
A. 一 B. 二
参考答案：A
标准答案：B
2. 乙（  ）
A. 一 B. 二
答案：A
【答案】A`);
    expect(outlineOf(paper)).toEqual(['1 单选题 A', '2 单选题 A']);
    expect(paper.questions.map(({ notes }) => notes)).toEqual([
      ['第4行：答案不一致：第3行是“A”，这里是“B”，请核对'],
      [],
    ]);
  });

  test('ends an answer where a material without numbers begins', () => {
    const paper = readText(`1. 简述甲。
答案：甲是一。
2. 简述乙。
答案：乙是二。
阅读材料，完成下列问题。
植物在光下产生氧气。
3. 光合作用产生（  ）
A. 氧气 B. 氮气
答案：A
4. 光合作用需要（  ）
A. 光 B. 氮气
答案：A`);
    expect(outlineOf(paper)).toEqual(['1 简答题 甲是一。', '2 简答题 乙是二。', '3～4 材料题 [单选题 A | 单选题 A]']);
  });
});
