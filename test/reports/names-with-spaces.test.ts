/** Names are found whatever spaces, widths and hidden characters they have: 王　小明, ＡＢＣ, NFD. */
import { expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';

onBothEngines('a search for students by name', (school) => {
  const id = () => school().students.k1[0] as number;
  const findIds = async (nickname: string) => {
    const class_id = school().classes.k1;
    const { body } = await school()
      .as('teacher')
      .get(`stateschoolstudent?class_id=${class_id}&nickname=${encodeURIComponent(nickname)}`);
    return (body.data?.list ?? []).map((one: { uid: number }) => one.uid);
  };
  it.each([
    ['王　小明', '王小明'],
    ['王小明', '王 小明'],
    ['ＡＢＣ同学', 'abc'],
    ['Rene\u0301', 'ren\u00e9'],
    ['李\u200b四', '李四'],
    ['李四', '李\u200b四'],
  ])('finds %s by %s', async (nickname, typed) => {
    await school().database.db.updateTable('student').set({ nickname }).where('id', '=', id()).execute();
    expect(await findIds(typed)).toContain(id());
    expect(await findIds('没有这个人')).toEqual([]);
  });
});
