/** Family name and given name; OneRoster requires both. */

/** Common Chinese family names of two characters. */
export const doubleFamilyNames =
  '欧阳 太史 上官 端木 司马 东方 独孤 南宫 夏侯 诸葛 尉迟 公孙 慕容 司徒 司空 令狐 皇甫 宇文 长孙 轩辕'.split(' ');

const doubleFamilyName = new RegExp(`^(?:${doubleFamilyNames.join('|')})(?=.)`);

/** Splits a name into family name and given name. A name of one part is used for both. */
export function splitName(name: string): { familyName: string; givenName: string } {
  if (/\p{Script=Han}/u.test(name)) {
    const family = doubleFamilyName.exec(name)?.[0] ?? [...name][0] ?? name;
    return { familyName: family, givenName: name.slice(family.length) || name };
  }
  const at = name.lastIndexOf(' ');
  return at < 0
    ? { familyName: name, givenName: name }
    : { familyName: name.slice(at + 1), givenName: name.slice(0, at) };
}
