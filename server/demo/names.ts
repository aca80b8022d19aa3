/** Names of the demo school's people, the same at every run. */
import type { SeededRandom } from './random.ts';

const surnames = [
  ...'王李张刘陈杨赵黄周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严',
  '欧阳',
  '上官',
  '司马',
  '诸葛',
];
const firstCharacters = [...'子一梓雨思诗欣浩宇嘉俊佳明晓文志雅静若心天海泽楚书奕晨景承沐知'];
const secondCharacters = [...'涵轩怡涛琪萱睿宸妍豪彤杰霖悦哲航玥凡婷博瑶辰阳翔然宁峰琳鑫远清'];

export function personName(random: SeededRandom): string {
  const surname = random.pick(surnames);
  const given = random.chance(0.85)
    ? random.pick(firstCharacters) + random.pick(secondCharacters)
    : random.pick(secondCharacters);
  return surname + given;
}

/** Names as long as lists must be able to show. */
export const longNames = ['阿卜杜热西提·买买提伊明·吾斯曼', '欧阳慕容诗涵子萱', '古丽米热·阿不都克里木江'];

export function mobileNumber(random: SeededRandom): string {
  return random.pick(['138', '139', '150', '158', '186', '177']) + String(random.whole(0, 99_999_999)).padStart(8, '0');
}
