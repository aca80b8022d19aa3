/** The demo school's knowledge points, and which of them a question of its banks belongs to. */
import type { BankQuestion, DemoSubject } from './bank.ts';
import type { RowWriter } from './row-writer.ts';

/** Subject, chapter, point; and the topics (a question's remark) that belong to the point. */
const tree: Record<DemoSubject, Record<string, Record<string, RegExp>>> = {
  数学: {
    集合与不等式: { 集合: /集合/, 不等式: /不等式/ },
    函数: {
      函数的概念与性质: /函数的(?!零点)|单调性|函数求值|绝对值函数/,
      二次函数: /二次函数/,
      指数函数与对数函数: /对数|指数/,
      函数的零点: /零点/,
    },
    三角与向量: { 三角函数: /三角|特殊角|任意角/, 解三角形: /解三角形/, 平面向量: /向量|数量积/ },
    数列与复数: { 数列: /数列/, 复数: /复数/ },
    解析几何: { 直线: /直线/, 圆: /圆的/ },
    概率与统计: { 计数原理: /排列|组合/, 概率: /随机|概型/, 统计: /统计|数据/ },
  },
  物理: {
    运动的描述: { 匀变速直线运动: /匀变速|自由落体|刹车|打点/, 曲线运动: /平抛|圆周|万有引力/ },
    相互作用与牛顿定律: { 力与平衡: /矢量|摩擦|平衡|重力|胡克/, 牛顿定律: /牛顿|惯性|超重|单位制/ },
    能量: { 功与机械能: /功|机械能|能量/ },
    电学: { 电路: /电路|欧姆|电学/ },
    光与热: { 光现象: /光/, 物态变化: /物态/ },
  },
  英语: {
    词汇: { 名词与冠词: /名词/, 词形与词组: /词组|词形|副词|介词|比较级|不规则/ },
    语法: {
      时态与语态: /时|语态/,
      从句: /从句/,
      非谓语动词: /非谓语|不定式|动名词/,
      句子成分: /主谓|情态|疑问/,
    },
    阅读与写作: { 阅读: /阅读/, 写作与翻译: /翻译|书面|应用文/ },
  },
  语文: {
    语言基础: { 字词: /字形|成语/, 语法与修辞: /病句|修辞/ },
    古诗文: { 文言文: /文言/, 古诗词: /诗|名句/ },
    文学与文化: { 文学常识: /常识|文体/ },
    现代文: { 阅读: /现代文|说明文|议论文/, 写作: /写作/ },
  },
};

/** Adds the tree; answers with the point of a question: that of its topic, or of its subject. */
export function addPoints(writer: RowWriter): (question: BankQuestion) => number {
  const found = new Map<DemoSubject, { root: number; leaves: { topic: RegExp; id: number }[] }>();
  let sort = 0;
  const add = (name: string, parent_id: number | null) => {
    sort += 1;
    return writer.add('knowledge_point', { parent_id, name, sort });
  };
  for (const [subject, chapters] of Object.entries(tree)) {
    const root = add(subject, null);
    const leaves = Object.entries(chapters).flatMap(([chapter, points]) => {
      const parent = add(chapter, root);
      return Object.entries(points).map(([point, topic]) => ({ topic, id: add(point, parent) }));
    });
    found.set(subject as DemoSubject, { root, leaves });
  }
  return ({ subject, remark }) => {
    const { root, leaves } = found.get(subject) as { root: number; leaves: { topic: RegExp; id: number }[] };
    return leaves.find(({ topic }) => topic.test(remark))?.id ?? root;
  };
}
