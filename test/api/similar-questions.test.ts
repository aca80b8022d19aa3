import { beforeAll, describe, expect, it } from 'vitest';
import { addExam } from '../support/exams.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

const stem = '下列关于光合作用场所和过程的说法中正确的一项是';
const options = (contents: string[], right = 1) =>
  contents.map((content, index) => ({ id: index + 1, content, is_right: index + 1 === right ? 1 : 2 }));
const single = {
  ques_type: 1,
  ques_stem: stem,
  ques_option: options(['叶绿体基质', '类囊体薄膜', '线粒体', '细胞质基质']),
  facility_value: 3,
};
const near = {
  ...single,
  ques_stem: `${stem}（ ）`,
  ques_option: options(['叶绿体基质', '类囊体薄膜', '线粒体', '核糖体']),
};
type Who = 'teacher' | 'otherTeacher' | 'assist';

onBothEngines('similar questions', (school) => {
  const db = () => school().database.db;
  const add = async (body: object, who: Who = 'teacher'): Promise<number> =>
    (await school().as(who).post('ques/add', body)).body.data.id;
  const pairs = async (query = '', who: Who = 'teacher') =>
    (await school().as(who).get(`ques/similar?${query}`)).body.data;
  const listed = async (query = ''): Promise<[string, number, number][]> =>
    (await pairs(query)).list.map((pair: { id: string; percent: number; group: number }) => [
      pair.id,
      pair.percent,
      pair.group,
    ]);
  const plan = async (kept: number, gone: number, who: Who = 'teacher') =>
    (await school().as(who).get(`ques/merge/${kept}/${gone}`)).body.data;
  const merge = async (kept: number, gone: number) =>
    school()
      .as('teacher')
      .post(`ques/merge/${kept}/${gone}`, { seen: (await plan(kept, gone)).seen });
  const show = async (id: number) => (await school().as('teacher').get(`ques/show/${id}`)).body;
  const merges = async (id: number) => (await school().as('teacher').get(`ques/merges/${id}`)).body.data;
  const undo = async (kept: number) =>
    school()
      .as('teacher')
      .post(`ques/merges/${(await merges(kept))[0].id}/undo`);

  describe('in pairs', () => {
    let [first, second, third]: number[] = [];

    beforeAll(async () => {
      first = await add(single);
      second = await add({ ...single, ques_stem: `<p>${stem}。</p>` });
      third = await add(near);
      await add({ ...single, ques_stem: '与其他题目毫无相同之处的另一道关于牛顿定律的题目' });
      await add(single, 'otherTeacher');
    });

    it('are listed by group, equal ones first, for their owner alone', async () => {
      expect(await pairs()).toMatchObject({ left_out: 0, page: 1, limit: 10 });
      const [equal, ...others] = await listed();
      expect(equal).toEqual([`${first}-${second}`, 100, 3]);
      expect(others.map(([id]) => id)).toEqual([`${first}-${third}`]);
      expect(others[0]?.[1]).toBeGreaterThanOrEqual(70);
      expect(others[0]?.[1]).toBeLessThan(100);
      expect((await pairs('', 'assist')).list).toEqual([]);
    });

    it('are narrowed by type, and to equal or nearly equal ones', async () => {
      expect((await listed('match=equal')).map(([id]) => id)).toEqual([`${first}-${second}`]);
      expect((await listed('match=near')).map(([id]) => id)).toEqual([`${first}-${third}`]);
      expect(await listed('ques_type=7')).toEqual([]);
      expect((await listed('limit=1&page=2')).map(([id]) => id)).toEqual([`${first}-${third}`]);
    });

    it('are left out once marked as different, until the mark is taken back', async () => {
      const mark = (one: number, other: number, who: Who = 'teacher') =>
        school().as(who).post('ques/different', { one, other });
      expect((await mark(third as number, first as number)).body.msg).toBe('已标记为不是重复');
      await mark(first as number, second as number);
      expect(await listed()).toEqual([]);
      expect((await listed('marked=1')).map(([id]) => id).sort()).toEqual([`${first}-${second}`, `${first}-${third}`]);
      const rows = (await school().as('teacher').get(`ques/history/${third}`)).body.data;
      expect(rows[0].changes).toEqual([{ name: '不是重复', before: '', after: stem }]);
      const unmark = (who: Who) => school().as(who).delete(`ques/different/${second}/${first}`);
      expect((await unmark('otherTeacher')).status).toBe(404);
      expect((await unmark('teacher')).body.msg).toBe('已取消标记');
      expect((await unmark('teacher')).status).toBe(404);
      expect((await listed()).map(([id]) => id)).toEqual([`${first}-${second}`]);
      expect((await mark(first as number, second as number, 'otherTeacher')).status).toBe(404);
      expect((await mark(first as number, first as number)).status).toBe(404);
    });

    it('follow edits, added and deleted questions at once', async () => {
      const edited = await add({ ...single, ques_stem: '关于牛顿第二定律在斜面上的应用的一道全新的题目' });
      expect((await listed()).some(([id]) => id.includes(String(edited)))).toBe(false);
      await school().as('teacher').put(`ques/update/${edited}`, single);
      expect((await listed()).some(([id]) => id === `${first}-${edited}`)).toBe(true);
      await school().as('teacher').delete(`ques/del/${edited}`);
      expect((await listed()).some(([id]) => id.includes(String(edited)))).toBe(false);
    });
  });

  describe('merged', () => {
    it('keep the text of one, all tags and the only knowledge point, and can be taken apart again', async () => {
      const { id: point_id } = await db()
        .insertInto('knowledge_point')
        .values({ name: `光合作用${Math.random()}`, parent_id: null, sort: 0 })
        .returning('id')
        .executeTakeFirstOrThrow();
      const kept = await add({ ...single, tags: '甲 乙' });
      const gone = await add({ ...near, tags: '乙 丙' });
      await db().updateTable('question').set({ point_id }).where('id', '=', gone).execute();
      expect(await plan(kept, gone)).toMatchObject({ tags: ['甲', '乙', '丙'], fault: '' });
      expect((await merge(kept, gone)).body.msg).toBe('合并成功');
      const [now] = (await show(kept)).data;
      expect([now.stem_text, now.tags, now.point_id]).toEqual([stem, ['甲', '乙', '丙'], point_id]);
      expect((await show(gone)).msg).toBe('题目不存在');
      expect(await merges(kept)).toMatchObject([{ question_id: gone, stem_text: `${stem}（ ）`, can_undo: 1 }]);
      expect((await undo(kept)).body.msg).toBe('已撤销合并');
      const [again] = (await show(kept)).data;
      expect([again.tags, again.point_id]).toEqual([['甲', '乙'], null]);
      const [back] = (await show(gone)).data;
      expect([back.tags, back.point_id, back.stem_text]).toEqual([['乙', '丙'], point_id, `${stem}（ ）`]);
      expect(back.ques_option.map(({ content }: { content: string }) => content)).toEqual(
        near.ques_option.map(({ content }) => content),
      );
      expect(await merges(kept)).toEqual([]);
    });

    it('show both histories together, and what came from where', async () => {
      const [kept, gone] = [await add(single), await add(near)];
      await school()
        .as('teacher')
        .put(`ques/update/${gone}`, { ...near, facility_value: 5 });
      await merge(kept, gone);
      const rows = (await school().as('teacher').get(`ques/history/${kept}`)).body.data;
      expect(rows.map((row: { record_id: number; action: string }) => [row.record_id, row.action]).sort()).toEqual(
        [
          [kept, 'add'],
          [kept, 'merge'],
          [gone, 'add'],
          [gone, 'edit'],
          [gone, 'merge'],
        ].sort(),
      );
      const ofMerge = (id: number) =>
        rows.find((row: { record_id: number; action: string }) => row.record_id === id && row.action === 'merge');
      expect(ofMerge(kept).changes).toEqual([{ name: '并入的题目', before: '', after: `${stem}（ ）` }]);
      expect(ofMerge(gone).changes).toEqual([{ name: '合并到', before: '', after: stem }]);
      await undo(kept);
      expect((await school().as('teacher').get(`ques/history/${gone}`)).body.data[0]).toMatchObject({
        action_name: '撤销合并',
      });
    });

    it('sum their uses, also of a merge into a merged question, and drafts follow', async () => {
      const [first, second, third] = [await add(single), await add(near), await add(single)];
      const publish = (question: object[]) =>
        school()
          .as('teacher')
          .post('hw/publish', {
            course_basis_id: school().courses.shared,
            type: 1,
            name: '作业',
            ending_time: noon + 2 * day,
            is_set_score: 1,
            publish_scope: 3,
            question,
          });
      const uses = async (id: number) => (await school().as('teacher').get(`ques/uses/${id}`)).body.data;
      expect((await publish([{ id: first }])).body.msg).toBe('作业发布成功');
      await merge(second, first);
      await merge(third, second);
      const sum = await uses(third);
      expect([sum.total, sum.list.map((use: { question_id: number }) => use.question_id)]).toEqual([1, [first]]);
      expect(
        (await merges(third)).map((one: { question_id: number; can_undo: number }) => [one.question_id, one.can_undo]),
      ).toEqual(
        expect.arrayContaining([
          [first, 0],
          [second, 1],
        ]),
      );
      // Forms that were opened before the merge.
      expect((await publish([{ id: first }])).status).toBe(200);
      expect((await publish([{ ...single, source_id: second }])).status).toBe(200);
      expect((await uses(third)).list.map((use: { question_id: number }) => use.question_id).sort()).toEqual(
        [first, third, third].sort(),
      );
      expect((await publish([{ id: first }, { id: third }])).status).toBe(422);
      const pair = await plan(third, await add(near));
      expect([pair.kept.uses, pair.gone.uses]).toEqual([3, 0]);
    });

    it('refuse another type, a public question that would go, and too many tags', async () => {
      const [one, other] = [await add(single), await add({ ...single, ques_type: 4 })];
      const refused = async (kept: number, gone: number) => {
        const { status, body } = await merge(kept, gone);
        return [status, body.msg];
      };
      expect(await refused(one, other)).toEqual([409, '单选题和不定项选择题题型不同，不能合并']);
      expect((await plan(one, other)).fault).toBe('单选题和不定项选择题题型不同，不能合并');
      expect(await refused(one, one)).toEqual([409, '请选择两道不同的题目']);
      const open = await add(near);
      await db().updateTable('question').set({ is_public: 1 }).where('id', '=', open).execute();
      expect(await refused(one, open)).toEqual([409, '公共题目不能并入未公开的题目，请保留公共题目']);
      const [left, right] = [
        await add({ ...single, tags: '1 2 3 4 5 6' }),
        await add({ ...single, tags: '7 8 9 10 11' }),
      ];
      expect(await refused(left, right)).toEqual([409, '合并后有11个标签，最多10个，请先移除一些']);
      for (const id of [one, other, open, left, right]) expect((await show(id)).code).toBe(200);
    });

    it('refuse if one was edited since it was shown, and are 404 for others', async () => {
      const [kept, gone] = [await add(single), await add(near)];
      const { seen } = await plan(kept, gone);
      await school()
        .as('teacher')
        .put(`ques/update/${gone}`, { ...near, facility_value: 1 });
      const post = (who: Who, path: string, body: object) => school().as(who).post(path, body);
      const stale = await post('teacher', `ques/merge/${kept}/${gone}`, { seen });
      expect([stale.status, stale.body.msg]).toEqual([409, '其中一道题目刚刚被修改，请核对后再合并']);
      const theirs = await add(single, 'otherTeacher');
      for (const path of [`ques/merge/${kept}/${gone}`, `ques/merge/${kept}/${theirs}`]) {
        const { status, body } = await school().as('otherTeacher').get(path);
        expect([status, body.msg]).toEqual([404, '题目不存在']);
        expect((await post('otherTeacher', path, { seen })).status).toBe(404);
      }
      expect((await post('teacher', `ques/merge/${kept}/${theirs}`, { seen })).status).toBe(404);
      await merge(kept, gone);
      const [{ id }] = await merges(kept);
      expect((await post('otherTeacher', `ques/merges/${id}/undo`, {})).status).toBe(404);
      expect((await school().as('otherTeacher').get(`ques/merges/${kept}`)).status).toBe(404);
      expect((await post('teacher', `ques/merges/${id}/undo`, {})).status).toBe(200);
      const again = await post('teacher', `ques/merges/${id}/undo`, {});
      expect([again.status, again.body.msg]).toEqual([404, '该合并记录不存在']);
    });

    it('keep collections and marks of the question that is gone', async () => {
      const [kept, gone, third] = [await add(single), await add(near), await add(near)];
      await db().updateTable('question').set({ is_public: 1 }).where('id', 'in', [kept, gone]).execute();
      const collect = (who: Who, ques_id: number) => school().as(who).post('/api/app/collect', { ques_id, type: 3 });
      await collect('otherTeacher', gone);
      await collect('assist', gone);
      await collect('assist', kept);
      await school().as('teacher').post('ques/different', { one: gone, other: third });
      const collectors = async (id: number) =>
        (await db().selectFrom('question_collect').select('staff_id').where('question_id', '=', id).execute()).length;
      await merge(kept, gone);
      expect(await collectors(kept)).toBe(2);
      await undo(kept);
      expect([await collectors(kept), await collectors(gone)]).toEqual([1, 1]);
      expect((await listed('marked=1')).map(([id]) => id)).toContain(`${gone}-${third}`);
    });

    it('restores a material question with its parts', async () => {
      const material = { ques_type: 6, ques_stem: '阅读材料', facility_value: 2, ques_item: [single, near] };
      const [kept, gone] = [await add(material), await add(material)];
      const before = (await show(gone)).data[0].ques_item;
      await merge(kept, gone);
      await undo(kept);
      expect((await show(gone)).data[0].ques_item).toEqual(before);
    });

    it('stand on the paper of an unpublished exam under the one that is kept', async () => {
      const { admin } = school().people;
      const [kept, gone] = [await add(single), await add(near)];
      const { school_id } = await db()
        .selectFrom('staff')
        .select('school_id')
        .where('id', '=', admin.id)
        .executeTakeFirstOrThrow();
      const exam = await addExam(db(), {
        name: '草稿',
        creator: admin.id,
        school: school_id,
        questions: [{ type: 1, score: 100, right: '1', options: JSON.stringify(single.ques_option) }],
      });
      await db().updateTable('exam').set({ status: 2 }).where('id', '=', exam.id).execute();
      await db().updateTable('exam_question').set({ source_id: gone }).where('exam_id', '=', exam.id).execute();
      await merge(kept, gone);
      const paper = (await school().as('admin').get(`exams/${exam.id}/paper`)).body.data;
      expect(paper.sources).toEqual([kept]);
      await undo(kept);
      expect((await school().as('admin').get(`exams/${exam.id}/paper`)).body.data.sources).toEqual([gone]);
    });
  });
});
