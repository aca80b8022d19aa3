/** What people of the demo school say in their circles and groups. */
export interface Said {
  posts: readonly string[];
  comments: readonly string[];
}

interface DemoGroup {
  name: string;
  introduction: string;
  /** Nobody has posted yet. */
  quiet?: boolean;
  /** Who of the two that sign in is not in it. */
  without?: 'teacher' | 'assist';
}

const groups: DemoGroup[] = [
  { name: '数学互助圈', introduction: '不会的题发上来，一起想办法。' },
  { name: '英语晨读打卡', introduction: '每天早上七点，读十五分钟。' },
  {
    name: '校园摄影与手账分享圈（周末作品展示、互评与素材交换）',
    introduction: '每周五晚上公布下一周的主题，作品请注明拍摄地点；转载他人的作品请先征得同意。',
  },
  { name: '物理实验爱好者', introduction: '在家也能做的小实验。' },
  { name: '读书会', introduction: '本月共读：《乡土中国》。' },
  { name: '教研交流', introduction: '讲师备课与听课记录。', without: 'assist' },
  { name: '篮球社', introduction: '周三、周六下午。', without: 'assist' },
  { name: '错题本', introduction: '一天一道，坚持一学期。' },
  { name: '新开的圈子', introduction: '', quiet: true },
  { name: '名著朗读', introduction: '', without: 'assist' },
  { name: '编程入门', introduction: '从零开始。', without: 'assist' },
  { name: '心理健康小站', introduction: '有事慢慢说。', without: 'assist' },
];

const comments = [
  '谢谢分享！',
  '我也是这样做的。',
  '第二步可以再详细一点吗？',
  '收藏了，晚上再看一遍。',
  '老师，今天的作业几点截止？',
  '赞！',
  '已经交了。',
  '这道题我错了两次，终于明白了。',
  '周末一起讨论吧。',
  '图片有点模糊，能再拍一张吗？',
  '同问。',
  '加油！',
];

const circle: Said = {
  posts: [
    '今天的课堂笔记整理好了，需要的同学自取。',
    '第三题为什么要分两种情况讨论？有没有更简单的办法？',
    '周五小测的范围：第一章到第三章，重点看例题。',
    '打卡第 12 天：完成练习册第 34 页，用时 28 分钟，错了一道。',
    '请假的同学可以看回放，练习照常提交。',
    '这次作业完成得很认真，尤其是书写，继续保持！',
    '有谁还有上节课的讲义吗？我的那份忘在教室了。',
    '分享一个记忆口诀：奇变偶不变，符号看象限。',
    '明天的课改到晚上七点半，请大家互相转告。',
    '受力分析先画重力，再找接触，最后看有没有其他场力。\n按这个顺序就不会漏。',
    '错题本更新到第 40 题了，发几页给大家参考。',
    '老师，期中考试可以带计算器吗？',
    '完形填空总是错在词义辨析上，大家都是怎么复习的？',
    '今天讨论课的结论：定义域优先。做函数题先写定义域，再谈单调性。',
  ],
  comments,
};

const group: Said = {
  posts: [
    '欢迎新成员！进来先做个自我介绍吧。',
    '本周主题：秋天。欢迎大家把照片发上来。',
    '今天读到第二章，印象最深的是“差序格局”这个说法。',
    '打卡。今天读了十五分钟，重点练了连读。',
    '推荐一个在家就能做的实验：用一杯水、一张纸片感受大气压。',
    '这道题有三种解法，你能想到几种？',
    '周六下午三点，老地方见。',
    '有没有同学愿意一起整理一份公式手册？',
    '分享一张手账，配色参考了窗外的银杏。',
    '新手提问：循环和递归有什么区别？',
  ],
  comments,
};

const school = [
  '【学校通知】期中考试安排在下周三至周五，请各班提前做好复习，具体考场以班主任公布的为准。',
  '【学校通知】本周末系统升级，周六 23:00 至次日 6:00 暂停直播与作业提交。',
  '【学校通知】冬季作息时间从下周一开始执行。',
];

const paragraph =
  '这份复习建议分成三个部分：先把课本上的定义和例题过一遍，再按章节整理错题，最后限时完成两套综合卷。整理错题时不要只抄答案，要写清楚当时为什么会错，是概念不清、审题不细，还是计算失误；下一次做同类题之前，先看一眼自己写过的原因。限时训练要按考试的节奏来，前二十分钟完成基础题，中间四十分钟完成中档题，留出至少二十分钟检查。';

export const communityWords = {
  groups,
  circle,
  group,
  school,
  /** Nearly as long as a post may be. */
  long: Array.from({ length: 8 }, (_, index) => `${index + 1}. ${paragraph}`).join('\n\n'),
  longComment: `${paragraph}${'长'.repeat(40)}`,
  markup:
    '网页里的 <b>加粗</b> 标签应该怎么写？我写成 <strong>重点</strong> 也可以吗？\nhttps://example.com/a-very-long-address-without-any-place-to-break/0123456789/0123456789/0123456789/0123456789/0123456789',
  advertisement: '全科答案代写，扫码加群，先到先得！！！',
};
