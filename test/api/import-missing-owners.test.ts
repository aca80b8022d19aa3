/** Classes and grades that sheets name, and that the school does not have. */
import { expect, it } from 'vitest';
import { importCalls } from '../support/import-calls.ts';
import { sheetFile } from '../support/import-files.ts';
import { onBothEngines } from '../support/on-both-engines.ts';

onBothEngines('import of sheets with missing classes or grades', (opened) => {
  const { sendFile, rows, mustApply, admin } = importCalls(opened);

  it('refuses the course and the periods of a class that does not exist', async () => {
    const { name } = await opened()
      .database.db.selectFrom('class')
      .select('name')
      .where('id', '=', opened().classes.k1)
      .executeTakeFirstOrThrow();
    const rule = ['周一', '08:00', '08:45', '2026-11-30', '1-2'];
    const sheet = sheetFile({
      课程: [
        ['课程名称', '类型'],
        ['班表语文', '线下课'],
      ],
      课表: [
        ['班级', '课程', '星期', '开始时间', '结束时间', '第一周', '周次'],
        [name, '班表语文', ...rule],
        ['高九（9）班', '班表语文', ...rule],
      ],
    });
    const { id } = (await sendFile('班级课表', '课表.xlsx', sheet)).body.data;
    const verdicts = (await rows(id)).map(({ kind, verdict }: { kind: string; verdict: string }) => [kind, verdict]);
    expect(verdicts.filter(([, verdict]: string[]) => verdict === 'new').sort()).toEqual([
      ['class_course', 'new'],
      ['course', 'new'],
      ['course', 'new'],
      ['period', 'new'],
      ['period', 'new'],
    ]);
    expect(verdicts.filter(([, verdict]: string[]) => verdict === 'refused').sort()).toEqual([
      ['class_course', 'refused'],
      ['course', 'refused'],
      ['period', 'refused'],
      ['period', 'refused'],
    ]);
    await mustApply(id);
    const { list } = (await admin().get('courses?title=班表语文&limit=50')).body.data;
    expect(list.map(({ title }: { title: string }) => title).sort()).toEqual(['班表语文', `班表语文（${name}）`]);
    const again = (await sendFile('班级课表', '课表.xlsx', sheet)).body.data;
    expect((await rows(again.id, '&verdict=unchanged')).length).toBe(5);
  });

  it('says where a missing grade is added', async () => {
    const sheet = sheetFile({
      班级: [
        ['班级名称', '年级'],
        ['零九（1）班', '零九级'],
      ],
    });
    const { id } = (await sendFile('缺年级', '班级.xlsx', sheet)).body.data;
    expect((await rows(id))[0].reasons).toEqual([
      '年级：没有找到年级“零九级”，请先在“基础资料”或工作表“年级与分类”中添加',
    ]);
  });
});
