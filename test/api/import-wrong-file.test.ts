/** Tests well-formed but wrong files: of another school, of yesterday, or outdated. */
import { expect, it } from 'vitest';
import { importCalls, outcomeOf } from '../support/import-calls.ts';
import { csv, type Roster, rosterTexts, sheetFile, smallRoster, zipOf } from '../support/import-files.ts';
import { onBothEngines } from '../support/on-both-engines.ts';

onBothEngines('wrong file', (opened) => {
  const { admin, sendFile, ...calls } = importCalls(opened);
  const upload = async (source: string, name: string, content: string | Uint8Array) => {
    const answer = await sendFile(source, name, content);
    expect(outcomeOf(answer)).toEqual([200, '已上传']);
    const { id } = answer.body.data as { id: number };
    return { id, state: (await calls.show(id)).state as string };
  };
  const holds = async (id: number) => {
    const { data } = (await admin().get(`import/${id}`)).body;
    return (data.holds as { kind: string; reason: string; sentence: string }[]).map(
      ({ kind, reason, sentence }) => `${kind} ${reason}: ${sentence}`,
    );
  };
  const applyUpload = ({ id }: { id: number }) => calls.mustApply(id);
  /** The same school with other ids and names. */
  const other = (all: Roster, mark: string): Roster =>
    JSON.parse(
      JSON.stringify(all).replace(/(?<=[",])(?:yr|tm|o|t|a|s|r|c|k|e)-\d(?=[",])/g, `${mark}$&`),
      (key, value) => (['username', 'identifier', 'name', 'title'].includes(key) ? `${mark}${value}` : value),
    );
  const book = (mark: string, people: number) =>
    sheetFile({
      学校: [['学校名称'], [`${mark}校`]],
      学员: [
        ['姓名', '学号', '学校'],
        ...Array.from({ length: people }, (_, at) => [`${mark}学员${at}`, `${mark}${at}`, `${mark}校`]),
      ],
    });

  it('of another school is held, as package or workbook', async () => {
    await applyUpload(await upload('甲校', '甲.zip', zipOf(rosterTexts(other(smallRoster(), 'A')))));
    const strange = await upload('甲校', '乙.zip', zipOf(rosterTexts(other(smallRoster(), 'B'))));
    expect(strange.state).toBe('held');
    expect(await holds(strange.id)).toEqual(
      expect.arrayContaining([
        'staff leaves: 人员：2条将离开，占100%',
        'student leaves: 学员：3条将离开，占100%',
        'membership leaves: 进班：2条将离开，占100%',
      ]),
    );
    await applyUpload(await upload('丙校', '丙.xlsx', book('C', 4)));
    const book2 = await upload('丙校', '丁.xlsx', book('D', 4));
    expect(await holds(book2.id)).toEqual(['student leaves: 学员：4条将离开，占100%']);
  });

  it("with another school's changes reports every row as unknown", async () => {
    const { enrollments = [] } = smallRoster();
    const delta = zipOf(rosterTexts(other({ enrollments: enrollments.slice(3, 4) }, 'E'), 'delta'));
    const { id } = await upload('戊校', '戊.zip', delta);
    const { list } = (await admin().get(`import/${id}/rows`)).body.data;
    const remarks = (await admin().get(`import/${id}/remarks`)).body.data.list;
    const told = [
      ...list.flatMap((row: { reasons: string[] }) => row.reasons),
      ...remarks.map((one: { message: string }) => one.message),
    ];
    expect(told.join('；')).toMatch(/“?Ek-1”?|Es-2/);
    const listed = await upload(
      '己校',
      '己.csv',
      csv([
        ['姓名', '学号', '学校'],
        ['赵一', 'F1', '没有的学校'],
      ]),
    );
    const { list: rows } = (await admin().get(`import/${listed.id}/rows?verdict=refused`)).body.data;
    expect(rows).toMatchObject([{ row: 2, file: '己.csv', reasons: ['学校：没有找到学校“没有的学校”'] }]);
  });

  it('cut off at a line end never removes people by itself', async () => {
    const people = Array.from({ length: 30 }, (_, at) => at + 1);
    const wholeRoster = (): Roster => {
      const roster = other(smallRoster(), 'K');
      const [user, role, enrolled] = [roster.users?.[2], roster.roles?.[2], roster.enrollments?.[3]];
      for (const at of people) {
        const id = `Ks-9${String(at).padStart(2, '0')}`;
        const named = { username: id, identifier: id, givenName: `末${at}` };
        roster.users?.push({ ...user, ...named, sourcedId: id, email: '', sms: '', phone: '' });
        roster.roles?.push({ ...role, sourcedId: `r${id}`, userSourcedId: id });
        roster.enrollments?.push({ ...enrolled, sourcedId: `e${id}`, userSourcedId: id });
      }
      return roster;
    };
    await applyUpload(await upload('截断校', '全.zip', zipOf(rosterTexts(wholeRoster()))));
    for (const [file, rows] of Object.entries(wholeRoster()) as [keyof Roster, object[]][]) {
      for (const lines of [1, 2]) {
        if (rows.length <= lines) continue;
        const cut = { ...wholeRoster(), [file]: rows.slice(0, -lines) };
        const { status, body } = await sendFile('截断校', '截.zip', zipOf(rosterTexts(cut)));
        // Each such file must be refused or held, or nobody may leave.
        if (status !== 200) continue;
        const { data } = (await admin().get(`import/${body.data.id}`)).body;
        const leaves = data.totals[3] as number;
        if (data.state !== 'held') expect([file, lines, leaves]).toEqual([file, lines, 0]);
        if (file !== 'enrollments') continue;
        expect(await holds(body.data.id)).toEqual([
          `membership cut: 进班：${lines}条将离开，正是上次“enrollments.csv”末尾的行，文件可能没有传完`,
        ]);
      }
    }
    // A cut within a row is an unmistakable error.
    const less = wholeRoster();
    less.enrollments = less.enrollments?.filter(({ sourcedId }) => sourcedId !== 'eKs-905');
    expect((await upload('截断校', '少.zip', zipOf(rosterTexts(less)))).state).toBe('checked');
  });

  it('of yesterday is held in every format if it would revert something', async () => {
    const { name: schoolName } = (await admin().get('staff/schools')).body.data[0];
    const doors: [string, (mobile: string) => string | Uint8Array][] = [
      [
        '名单.csv',
        (mobile) =>
          csv([
            ['姓名', '学号', '手机号', '学校'],
            ['钱一', 'G1', mobile, schoolName],
          ]),
      ],
      [
        '学校.xlsx',
        (mobile) =>
          sheetFile({
            学员: [
              ['姓名', '学号', '手机号', '学校'],
              ['孙一', 'H1', mobile, schoolName],
            ],
          }),
      ],
      [
        '名册.zip',
        (mobile) => {
          const roster = other(smallRoster(), 'I');
          Object.assign(roster.users?.[2] ?? {}, { sms: mobile });
          return zipOf(rosterTexts(roster));
        },
      ],
    ];
    for (const [name, file] of doors) {
      // A package contains the time at which it was made.
      const [yesterday, today] = [file('13700000001'), file('13700000002')];
      await applyUpload(await upload(name, `昨天的${name}`, yesterday));
      await applyUpload(await upload(name, `今天的${name}`, today));
      const old = await upload(name, name, yesterday);
      expect([name, old.state]).toEqual([name, 'held']);
      expect(await holds(old.id)).toContainEqual(
        expect.stringMatching(
          /^file older: 内容与\d{4}-\d\d-\d\d导入的“昨天的.*”相同，之后又导入过1个文件，可能发错了旧文件$/,
        ),
      );
      // Today's file again changes nothing, so nothing needs confirming.
      expect((await upload(name, name, today)).state).toBe('checked');
    }
  });
});
