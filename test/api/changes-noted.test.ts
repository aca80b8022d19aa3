/** Changes of the staff that leave a row of history, told in words. */
import { expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

onBothEngines('a change', (school) => {
  const rows = async (record: string, id: number) => {
    const { list } = (await school().as('admin').get(`history?record=${record}&record_id=${id}`)).body.data;
    return list.map(({ action_name, who }: { action_name: string; who: string }) => `${who} ${action_name}`);
  };

  it('is noted of a notice from its posting on', async () => {
    const { k1 } = school().classes;
    await school()
      .database.db.insertInto('class_staff')
      .values({ class_id: k1, staff_id: school().people.assist.id, duty: 'head' })
      .onConflict((known) => known.doNothing())
      .execute();
    const notice = { class_id: k1, title: '期中安排', content: '<p>周一</p>' };
    const { id } = (await school().as('assist').post('announcement', notice)).body.data;
    expect(await rows('class_notice', id)).toEqual(['姓名assist 发布']);
  });

  it('is noted of a post, and of a comment on it', async () => {
    const teacher = school().as('teacher');
    const post = (await teacher.post('community/post', { class_id: school().classes.k1, content: '开学了' })).body.data
      .id;
    const comment = (await teacher.post('community/comment', { post_id: post, content: '好' })).body.data.id;
    expect(await rows('community_post', post)).toEqual(['姓名teacher 发布']);
    expect(await rows('community_comment', comment)).toEqual(['姓名teacher 添加']);
  });

  it('is noted of the address of a calendar: made, and ended', async () => {
    const teacher = school().as('teacher');
    expect((await teacher.post('calendar/feed', {})).status).toBe(200);
    expect((await teacher.delete('calendar/feed')).status).toBe(200);
    expect(await rows('staff', school().people.teacher.id)).toEqual([
      '姓名teacher 停用日历订阅地址',
      '姓名teacher 更换日历订阅地址',
    ]);
  });

  it('is noted of a question of one’s own: added, edited and deleted', async () => {
    const written = {
      ques_type: 1,
      ques_stem: '<p>一加一</p>',
      ques_option: [
        { id: 1, content: '1', is_right: 2 },
        { id: 2, content: '2', is_right: 1 },
      ],
      right_answer: '2',
      ques_analysis: '',
      facility_value: 3,
      remark: '',
    };
    const teacher = school().as('teacher');
    const { id } = (await teacher.post('ques/add', written)).body.data;
    expect((await teacher.put(`ques/update/${id}`, { ...written, facility_value: 4 })).status).toBe(200);
    // Nothing changed.
    expect((await teacher.put(`ques/update/${id}`, { ...written, facility_value: 4 })).status).toBe(200);
    expect((await teacher.delete(`ques/del/${id}`)).status).toBe(200);
    expect(await rows('question', id)).toEqual(['姓名teacher 删除', '姓名teacher 修改', '姓名teacher 添加']);
    const stored = await school()
      .database.db.selectFrom('history')
      .select(['before', 'after'])
      .where('record', '=', 'question')
      .where('record_id', '=', id)
      .where('action', '=', 'edit')
      .where('at', '=', noon)
      .execute();
    expect(stored).toEqual([{ before: '{"facility_value":3}', after: '{"facility_value":4}' }]);
  });
});
