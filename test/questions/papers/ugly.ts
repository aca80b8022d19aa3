/**
 * Papers in habits that no rule of `habits.ts` makes: exports of other systems, publishers' formats, and carelessness.
 * `expected` is in the notation of `subjects.ts`; a tab separates options in a line.
 */
import { paragraphs, wordFile } from '../../support/office-files.ts';
import type { ExpectedQuestion, Paper } from './habits.ts';
import { readSubject } from './subjects.ts';

interface Written {
  name: string;
  text: string;
  expected: string;
}

const written: readonly Written[] = [
  {
    name: '学科网：解析里逐项分析，像选项',
    text: `1. 下列关于细胞的叙述，正确的是（    ）
A. 病毒是最小的细胞\tB. 植物细胞都有叶绿体
C. 细胞是生命活动的基本单位\tD. 细菌没有细胞壁
【答案】C
【解析】
【分析】细胞学说指出，细胞是一个有机体。
【详解】A、病毒没有细胞结构，A错误；
B、根尖细胞没有叶绿体，B错误；
C、细胞是生命活动的基本单位，C正确；
D、细菌有细胞壁，D错误。
故选C。
2. 人体的遗传物质是（    ）
A. DNA\tB. RNA\tC. 蛋白质\tD. 糖类
【答案】A
【解析】
【详解】A．人体细胞的遗传物质是DNA，A正确；
B．RNA不是，B错误。
故选A。`,
    expected: `
1 下列关于细胞的叙述，正确的是（　　） | 病毒是最小的细胞 | 植物细胞都有叶绿体 | 细胞是生命活动的基本单位 | 细菌没有细胞壁 = C # *
1 人体的遗传物质是（　　） | DNA | RNA | 蛋白质 | 糖类 = A # *`,
  },
  {
    name: '学科网：一则材料两道小题，答案连在一起',
    text: `阅读下面这首唐诗，完成下面小题。
送元二使安西
王维
渭城朝雨浥轻尘，客舍青青柳色新。
劝君更尽一杯酒，西出阳关无故人。
15. 下列对这首诗的理解，不正确的一项是（3分）（    ）
A. 首句交代了送别的时间和环境。
B. 次句写客舍周围的景色。
C. 第三句写诗人劝酒。
D. 末句写诗人与友人重逢。
16. 这首诗表达了诗人怎样的情感？请简要分析。（6分）
【答案】15. D    16. 表达了诗人对友人的深情厚谊和依依惜别之情。`,
    expected: `
6 阅读下面这首唐诗，完成下面小题。
  送元二使安西
  王维
  渭城朝雨浥轻尘，客舍青青柳色新。
  劝君更尽一杯酒，西出阳关无故人。
  1 下列对这首诗的理解，不正确的一项是（　　） | 首句交代了送别的时间和环境。 | 次句写客舍周围的景色。 | 第三句写诗人劝酒。 | 末句写诗人与友人重逢。 = D
  5 这首诗表达了诗人怎样的情感？请简要分析。 = 表达了诗人对友人的深情厚谊和依依惜别之情。`,
  },
  {
    name: '学习通作业导出',
    text: `一. 单选题（共2题，40分）
1. (单选题, 20.0分)我国的首都是
A. 上海
B. 北京
C. 广州
D. 深圳
我的答案: A:上海;正确答案: B:北京;
0.0分
2. (单选题, 20.0分)世界最高峰是
A. 珠穆朗玛峰
B. 乔戈里峰
C. 富士山
D. 泰山
我的答案: A:珠穆朗玛峰;正确答案: A:珠穆朗玛峰;
20.0分
二. 判断题（共1题，20分）
3. (判断题, 20.0分)长江是我国最长的河流。
A. 对
B. 错
我的答案: 对正确答案: 对`,
    expected: `
1 我国的首都是 | 上海 | 北京 | 广州 | 深圳 = B
1 世界最高峰是 | 珠穆朗玛峰 | 乔戈里峰 | 富士山 | 泰山 = A
2 长江是我国最长的河流。 = 对`,
  },
  {
    name: '问卷星：题型在后，正确选项带标记',
    text: `1. 下列哪个是哺乳动物？ [单选题] *
○A. 鲨鱼
○B. 鲸(正确答案)
○C. 企鹅
○D. 青蛙
2. 下列属于水果的有 [多选题] *
□A. 苹果(正确答案)
□B. 白菜
□C. 香蕉(正确答案)
3. 地球是圆的。 [判断题] *
○对(正确答案)
○错`,
    expected: `
1 下列哪个是哺乳动物？ | 鲨鱼 | 鲸 | 企鹅 | 青蛙 = B
3 下列属于水果的有 | 苹果 | 白菜 | 香蕉 = AC
2 地球是圆的。 = 对`,
  },
  {
    name: '判断符号在题号前',
    text: `判断题（对的打“√”，错的打“×”，每题2分）
（√）1．安全生产人人有责。
（×）2．灭火器可以随意移动。
（ √ ）3．发现隐患应及时报告。
( × )4．酒后可以上岗。`,
    expected: `
2 安全生产人人有责。 = 对
2 灭火器可以随意移动。 = 错
2 发现隐患应及时报告。 = 对
2 酒后可以上岗。 = 错`,
  },
  {
    name: '政治：四个观点各占一行',
    text: `一、选择题（每小题2分）
1．某地推进乡村振兴，取得了明显成效。这说明（　　）
①坚持以人民为中心
②经济发展决定一切
③基层治理能力提升
④政府职能不断弱化
A．①②　　B．①③　　C．②④　　D．③④
2．下列属于公民政治义务的是（　　）
①遵守宪法和法律　②维护国家统一　③选举权　④监督权
A．①②　　B．①③　　C．②④　　D．③④
参考答案
1．B　2．A`,
    expected: `
1 某地推进乡村振兴，取得了明显成效。这说明（　　）①坚持以人民为中心②经济发展决定一切③基层治理能力提升④政府职能不断弱化 | ①② | ①③ | ②④ | ③④ = B
1 下列属于公民政治义务的是（　　）①遵守宪法和法律②维护国家统一③选举权④监督权 | ①② | ①③ | ②④ | ③④ = A`,
  },
  {
    name: '数学解答题，满分在题号后',
    text: `三、解答题：本题共2小题，共22分。解答应写出文字说明、证明过程或演算步骤。
17．（本小题满分10分）
在△ABC中，角A，B，C的对边分别为a，b，c，且a＝3，b＝4，C＝90°。
（1）求c；
（2）求△ABC的面积。
18．（本小题满分12分）
已知函数f(x)＝x²－2x＋3。
（1）求f(x)的最小值；
（2）若f(x)≥m恒成立，求m的取值范围。
参考答案
17．（1）5；（2）6
18．（1）2；（2）m≤2`,
    expected: `
6 在△ABC中，角A，B，C的对边分别为a，b，c，且a＝3，b＝4，C＝90°。
  5 求c； = 5
  5 求△ABC的面积。 = 6
6 已知函数f(x)＝x²－2x＋3。
  5 求f(x)的最小值； = 2
  5 若f(x)≥m恒成立，求m的取值范围。 = m≤2`,
  },
  {
    name: '英语阅读，短文前有字母',
    text: `第二部分 阅读理解（共2节，满分40分）
第一节（共4小题；每小题2.5分，满分10分）
阅读下列短文，从每题所给的A、B、C、D四个选项中选出最佳选项。
A
A new library opened in our city last week. It has more than 50,000 books and is open from 9:00 a.m. to 9:00 p.m. every day except Monday.
21. When is the library closed?
A. On Sunday.\tB. On Monday.\tC. On Friday.\tD. Every day.
22. How many books does it have?
A. 5,000.\tB. 9,000.\tC. Over 50,000.\tD. 500,000.
B
Mr. Green likes walking. He walks 3 miles every day. “I feel younger,” he says.
23. How far does Mr. Green walk every day?
A. 1 mile.\tB. 2 miles.\tC. 3 miles.\tD. 4 miles.
24. How does he feel?
A. Tired.\tB. Younger.\tC. Bored.\tD. Angry.
答案
21-24 BCCB`,
    expected: `
6 阅读下列短文，从每题所给的A、B、C、D四个选项中选出最佳选项。A A new library opened in our city last week. It has more than 50,000 books and is open from 9:00 a.m. to 9:00 p.m. every day except Monday.
  1 When is the library closed? | On Sunday. | On Monday. | On Friday. | Every day. = B
  1 How many books does it have? | 5,000. | 9,000. | Over 50,000. | 500,000. = C
6 B Mr. Green likes walking. He walks 3 miles every day. “I feel younger,” he says.
  1 How far does Mr. Green walk every day? | 1 mile. | 2 miles. | 3 miles. | 4 miles. = C
  1 How does he feel? | Tired. | Younger. | Bored. | Angry. = B`,
  },
  {
    name: '答案跟在选项后面，同一行',
    text: `1、计算机的“大脑”是（ ）。A、CPU B、内存 C、硬盘 D、显示器 答案：A
2、1024KB等于（ ）。A、1MB B、1GB C、1TB D、1B 答案：A
3、下列是输入设备的有（ ）。A、键盘 B、鼠标 C、打印机 D、扫描仪 答案：ABD`,
    expected: `
1 计算机的“大脑”是（　　）。 | CPU | 内存 | 硬盘 | 显示器 = A
1 1024KB等于（　　）。 | 1MB | 1GB | 1TB | 1B = A
3 下列是输入设备的有（　　）。 | 键盘 | 鼠标 | 打印机 | 扫描仪 = ABD`,
  },
  {
    name: '选项缺C，答案超出选项，两处答案矛盾',
    text: `一、单选题
1．下列颜色属于三原色的是（　　）
A．红
B．紫
D．橙
答案：A
2．一年有几个季节（　　）
A．2
B．3
C．4
D．5
答案：E
3．水的沸点是（ B ）
A．0℃
B．100℃
C．50℃
D．37℃
答案：C`,
    expected: `
1 下列颜色属于三原色的是（　　） | 红 | 紫 | ? | 橙 = A
1 一年有几个季节（　　） | 2 | 3 | 4 | 5 = ?
1 水的沸点是（　　） | 0℃ | 100℃ | 50℃ | 37℃ = ?`,
  },
  {
    name: '数字开头的句子和小数，不是题号',
    text: `一、填空题
1．某地人口的增长率是____。
7.5%的受访者表示不清楚，69.51%的受访者表示赞成。
2．2023年我国粮食总产量为____亿斤。
13.908是四舍五入前的数值。
答案：
1．2.3%
2．13908`,
    expected: `
7 某地人口的增长率是____。7.5%的受访者表示不清楚，69.51%的受访者表示赞成。 = 2.3%
7 2023年我国粮食总产量为____亿斤。13.908是四舍五入前的数值。 = 13908`,
  },
  {
    name: '名词解释、论述，用“答：”',
    text: `三、名词解释
1. 边际效用
答：消费者每增加一单位商品的消费所增加的满足程度。
2. 机会成本
答：为得到某种东西而放弃的其他东西的最大价值。
四、论述题
1. 试述市场失灵的原因。
答：（1）垄断；（2）外部性；（3）公共物品；（4）信息不对称。`,
    expected: `
5 边际效用 = 消费者每增加一单位商品的消费所增加的满足程度。
5 机会成本 = 为得到某种东西而放弃的其他东西的最大价值。
5 试述市场失灵的原因。 = （1）垄断；（2）外部性；（3）公共物品；（4）信息不对称。`,
  },
  {
    name: '通知，没有题目',
    text: `关于期末考试安排的通知
各班级：
经研究，本学期期末考试定于1月10日至12日进行，现将有关事项通知如下。
1．请各班主任提前做好动员。
2．监考老师应提前15分钟到场。
3．考试结束后及时上报成绩。
教务处
2026年1月3日`,
    expected: '',
  },
];

const withoutScores = (question: ReturnType<typeof readSubject>[number]): ExpectedQuestion => ({
  ...question,
  score: undefined,
  parts: question.parts.map(withoutScores),
});

/** `*` as an analysis and `?` in an option or answer stand for anything. */
export const uglyPapers: readonly Paper[] = written.map(({ name, text, expected }) => ({
  name,
  file: wordFile({ body: paragraphs(text.replaceAll('|', '¦')) }),
  expected: expected === '' ? [] : readSubject(expected).map(withoutScores),
}));
