import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '#server/demo/random.ts';
import { storeSetting } from '#server/school/settings.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { expectCommunityCountersToBeRight } from '../support/recount-community.ts';
import { day, noon, type TestSchool } from '../support/school.ts';

type Name = keyof TestSchool['people'];

onBothEngines('the community', (school) => {
  const ids = {} as Record<'club' | 'quiet' | 'circle' | 'foreignCircle' | 'studentPost' | 'schoolPost', number>;
  const db = () => school().database.db;
  const as = (name: Name) => school().as(name);
  const publish = async (name: Name, body: object, headers?: Record<string, string>) =>
    as(name).post('community/post', body, headers);
  /** Publishes a post and returns its id. */
  const addPost = async (name: Name, body: object): Promise<number> => {
    const answer = await publish(name, { content: '一个帖子', ...body });
    expect(answer.body).toMatchObject({ code: 200, msg: '添加成功' });
    return answer.body.data.id;
  };
  const post = async (name: Name, id: number, search = '') =>
    (await as(name).get(`community/post/${id}${search}`)).body.data;
  const listIds = async (name: Name, path: string): Promise<number[]> =>
    (await as(name).get(path)).body.data.list.map((row: { id: number }) => row.id);
  const picture = async (extension = 'png') => {
    const stored = await school().services.storage.put(Readable.from([Buffer.from('picture')]), {
      extension,
      limit: 100,
    });
    if (!('ok' in stored)) throw new Error('not stored');
    return `/files/${stored.ok.key}`;
  };
  const outcomeOf = ({ status, body }: { status: number; body: { msg: string } }) => [status, body.msg];

  beforeAll(async () => {
    const { people, classes, students } = school();
    const { school_id } = await db().selectFrom('staff').select('school_id').limit(1).executeTakeFirstOrThrow();
    await db()
      .insertInto('class_staff')
      .values([
        { class_id: classes.k1, staff_id: people.teacher.id, duty: 'head' },
        { class_id: classes.k3, staff_id: people.otherTeacher.id, duty: 'head' },
      ])
      .execute();
    const group = async (name: string, class_id: number | null, members: Name[]) => {
      const { id } = await db()
        .insertInto('community_group')
        .values({
          group_type: class_id === null ? 2 : 1,
          class_id,
          school_id,
          name,
          created_at: noon - 9 * day,
          user_num: members.length,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const name of members) {
        const { id: staff_id, identity } = people[name];
        await db()
          .insertInto('community_member')
          .values({
            group_id: id,
            user_type: identity === 'teacher' ? 2 : 3,
            staff_id,
            student_id: null,
            joined_at: noon - 8 * day,
          })
          .execute();
      }
      return id;
    };
    ids.circle = await group('一班旧名', classes.k1, []);
    ids.foreignCircle = await group('三班', classes.k3, []);
    ids.club = await group('读书会', null, ['teacher', 'assist']);
    ids.quiet = await group('教研组', null, ['otherTeacher']);
    const write = async (author: { user_type: 1 | 4; student_id: number | null }, content: string) => {
      const { id } = await db()
        .insertInto('community_post')
        .values({
          ...author,
          group_id: ids.circle,
          staff_id: null,
          content,
          created_at: noon - day,
          deleted_at: null,
          deleted_by: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db()
        .updateTable('community_group')
        .set((eb) => ({ post_num: eb('post_num', '+', 1) }))
        .where('id', '=', ids.circle)
        .execute();
      return id;
    };
    ids.studentPost = await write({ user_type: 1, student_id: students.k1[0] as number }, '第三题怎么做？');
    ids.schoolPost = await write({ user_type: 4, student_id: null }, '期中考试安排');
  });

  describe('circles', () => {
    it("are the joined groups and the circles of one's classes", async () => {
      expect(await listIds('assist', 'community/group/myGroup')).toEqual([ids.circle, ids.club]);
      expect(await listIds('assist', 'community/group/myGroup?group_type=2')).toEqual([ids.club]);
      expect(await listIds('otherAssist', 'community/group/myGroup')).toEqual([ids.foreignCircle]);
      expect(await listIds('plainTeacher', 'community/group/myGroup')).toEqual([]);
      const { data } = (await as('assist').get('community/group/myGroup?page=2&limit=1')).body;
      expect(data).toMatchObject({ total: 2, page: 2, limit: 1, list: [{ name: '读书会', user_num: 2 }] });
    });

    it("name a circle after its class, and count the class's members", async () => {
      const { data } = (await as('teacher').get(`community/group/${ids.circle}`)).body;
      // Two of its three students remain; plus a head teacher and an assistant.
      expect(data).toMatchObject({ name: '一班', group_type: 1, user_num: 4, is_can_leave: 0 });
    });

    it('answer 404 to non-members, with all their content', async () => {
      const foreign = await addPost('otherTeacher', { group_id: ids.quiet });
      for (const path of [`community/group/${ids.quiet}`, `community/group/post/${ids.quiet}`]) {
        expect(outcomeOf(await as('teacher').get(path))).toEqual([404, '圈子不存在']);
      }
      expect(outcomeOf(await publish('teacher', { group_id: ids.quiet, content: '你好' }))).toEqual([
        404,
        '圈子不存在',
      ]);
      expect(outcomeOf(await as('teacher').get(`community/post/${foreign}`))).toEqual([404, '帖子不存在或已被删除']);
      for (const [path, body] of [
        ['community/comment', { post_id: foreign, content: '评论' }],
        ['community/collect', { post_id: foreign }],
        ['community/report', { post_id: foreign, type: 1 }],
      ] as const) {
        expect((await as('teacher').post(path, body)).status, path).toBe(404);
      }
      expect((await as('teacher').put(`community/like/${foreign}`, {})).status).toBe(404);
      expect((await as('teacher').delete(`community/post/${foreign}`)).status).toBe(404);
      expect((await as('otherAssist').get(`community/group/${ids.circle}`)).status).toBe(404);
    });

    it('are left once; a circle cannot be left', async () => {
      expect(outcomeOf(await as('assist').get(`community/group/outGroup/${ids.circle}`))).toEqual([
        409,
        '班级圈子不能退出',
      ]);
      expect(outcomeOf(await as('teacher').post(`community/group/outGroup/${ids.quiet}`))).toEqual([404, '圈子不存在']);
      expect(outcomeOf(await as('otherTeacher').get(`community/group/outGroup/${ids.quiet}`))).toEqual([
        200,
        '退出圈子成功',
      ]);
      expect((await as('otherTeacher').post(`community/group/outGroup/${ids.quiet}`)).status).toBe(404);
      const { user_num } = await db()
        .selectFrom('community_group')
        .select('user_num')
        .where('id', '=', ids.quiet)
        .executeTakeFirstOrThrow();
      expect(user_num).toBe(0);
    });
  });

  describe('publishing', () => {
    it('trims a text without changing its markup, and drops repeated pictures', async () => {
      const images = [await picture(), await picture('jpg')];
      const id = await addPost('assist', {
        group_id: ids.circle,
        content: '  <b>大家好</b>\r\n第二行\u3000 ',
        images: [...images, images[0]],
      });
      expect(await post('teacher', id)).toMatchObject({
        content: '<b>大家好</b>\n第二行',
        images,
        user_type: 3,
        nickname: '姓名assist',
        group_name: '一班',
        like_num: 0,
        comment_num: 0,
        is_own: 0,
        is_can_delete: 1,
        created_at: noon,
      });
      expect(await post('assist', id)).toMatchObject({ is_own: 1, is_can_delete: 0 });
    });

    it('creates one post for two requests with the same key', async () => {
      const key = { 'idempotency-key': 'post-1' };
      const body = { group_id: ids.club, content: '只有一次' };
      const [first, again] = [await publish('assist', body, key), await publish('assist', body, key)];
      expect(again.body).toEqual(first.body);
      expect((await as('assist').get(`community/group/post/${ids.club}`)).body.data.total).toBe(1);
    });

    it.each([
      ['', '请输入帖子内容'],
      [' \u3000\n\u200b\u00a0', '请输入帖子内容'],
      ['好'.repeat(2001), '帖子内容不能超过2000个字'],
      ['x'.repeat(10_000), '帖子内容不能超过2000个字'],
    ])('refuses an empty or too long text', async (content, message) => {
      const { status, body } = await publish('assist', { group_id: ids.circle, content });
      expect([status, body.msg, body.errors]).toEqual([422, message, { content: [message] }]);
    });

    it('accepts 2000 characters, even of two UTF-16 units each', async () => {
      await addPost('assist', { group_id: ids.club, content: '😀'.repeat(2000) });
    });

    it('refuses foreign pictures, and more than nine', async () => {
      const refusalOf = async (images: unknown) =>
        outcomeOf(await publish('assist', { group_id: ids.circle, content: '图', images }));
      const missing = [422, '图片不存在，请重新上传'];
      expect(await refusalOf(['https://example.com/a.png'])).toEqual(missing);
      expect(await refusalOf([(await picture()).replace(/.{5}\.png/, 'aaaaa.png')])).toEqual(missing);
      expect(await refusalOf([await picture('pdf')])).toEqual(missing);
      expect(await refusalOf({ path: 'x' })).toEqual(missing);
      const ten = await Promise.all(Array.from({ length: 10 }, () => picture()));
      expect(await refusalOf(ten)).toEqual([422, '最多添加9张图片']);
      expect(await refusalOf(ten.slice(1).join(','))).toEqual([200, '添加成功']);
    });

    it("requires a group, and creates a class's circle with its first post", async () => {
      expect(outcomeOf(await publish('assist', { content: '你好' }))).toEqual([422, '请选择圈子']);
      const { k2, k3 } = school().classes;
      expect(outcomeOf(await publish('assist', { class_id: k3, content: '你好' }))).toEqual([404, '班级不存在']);
      expect((await as('assist').get(`community/post/class/${k2}`)).body.data).toMatchObject({ list: [], total: 0 });
      // A refused post creates no circle.
      expect((await publish('assist', { class_id: k2, content: ' ' })).status).toBe(422);
      expect((await as('assist').get(`stateschoolclass/${k2}`)).body.data.group_id).toBeNull();
      const id = await addPost('assist', { class_id: k2 });
      expect(await listIds('assist', `community/post/class/${k2}`)).toEqual([id]);
      const { group_id } = (await as('assist').get(`stateschoolclass/${k2}`)).body.data;
      expect((await post('assist', id)).group_id).toBe(group_id);
    });

    it('is possible after the class has ended', async () => {
      const { k1 } = school().classes;
      await db().updateTable('class').set({ valid_type: 2, valid_time: noon }).where('id', '=', k1).execute();
      await addPost('assist', { group_id: ids.circle, content: '再见' });
      expect((await as('assist').get(`community/post/class/${k1}`)).status).toBe(200);
      await db().updateTable('class').set({ valid_type: 1 }).where('id', '=', k1).execute();
    });
  });

  describe('deleting posts', () => {
    it('is allowed to the head teacher of the class', async () => {
      const id = await addPost('assist', { group_id: ids.circle });
      expect(outcomeOf(await as('assist').delete(`community/post/${id}`))).toEqual([403, '只有班主任可以删除圈子帖子']);
      expect(outcomeOf(await as('otherTeacher').delete(`community/post/${id}`))).toEqual([
        403,
        '只有班主任可以删除圈子帖子',
      ]);
      expect(outcomeOf(await as('teacher').delete(`community/post/${id}`))).toEqual([200, '删除成功']);
      expect((await as('teacher').delete(`community/post/${id}`)).status).toBe(404);
      expect((await as('assist').get(`community/post/${id}`)).status).toBe(404);
      const history = await db()
        .selectFrom('history')
        .select(['staff_id', 'action', 'before'])
        .where('record', '=', 'community_post')
        .where('record_id', '=', id)
        .where('action', '!=', 'publish')
        .execute();
      expect(history).toMatchObject([{ staff_id: school().people.teacher.id, action: 'delete' }]);
      expect(JSON.parse(history[0]?.before as string)).toMatchObject({ content: '一个帖子', group_id: ids.circle });
    });

    it('refuses a batch that includes a post of the school', async () => {
      const id = await addPost('assist', { group_id: ids.circle });
      expect(await post('teacher', ids.schoolPost)).toMatchObject({ user_type: 4, nickname: '总校', is_can_delete: 0 });
      for (const together of [`${id},${ids.schoolPost}`, `${ids.schoolPost},${id}`]) {
        expect(outcomeOf(await as('teacher').delete(`community/post/${together}`))).toEqual([
          403,
          '学校发布的帖子不能删除',
        ]);
      }
      expect((await as('teacher').delete(`community/post/${id},999999`)).status).toBe(404);
      expect((await as('teacher').delete(`community/post/${id},x`)).status).toBe(404);
      expect((await as('teacher').delete('community/post/,')).status).toBe(404);
      expect((await post('teacher', id)).id).toBe(id);
      const other = await addPost('teacher', { group_id: ids.circle });
      expect((await as('teacher').delete(`community/post/${id},${other},${id}`)).status).toBe(200);
      expect((await as('teacher').get(`community/post/${other}`)).status).toBe(404);
    });

    it('is allowed to the author in a group', async () => {
      const id = await addPost('assist', { group_id: ids.club });
      expect(outcomeOf(await as('teacher').delete(`community/post/${id}`))).toEqual([403, '只能删除自己发布的帖子']);
      expect((await as('assist').delete(`community/post/${id}`)).status).toBe(200);
    });

    it('accepts at most 100 posts at once', async () => {
      const many = (count: number) => Array.from({ length: count }, (_, index) => 900_000 + index).join(',');
      expect(outcomeOf(await as('teacher').delete(`community/post/${many(101)}`))).toEqual([
        422,
        '一次最多删除100条帖子',
      ]);
      expect(outcomeOf(await as('teacher').delete(`community/post/${many(100)}`))).toEqual([
        404,
        '帖子不存在或已被删除',
      ]);
    });
  });

  describe('a post', () => {
    it('takes comments with markup as text, the newest first, page by page', async () => {
      const id = await addPost('assist', { group_id: ids.circle });
      const comment = (name: Name, content: string) => as(name).post('community/comment', { post_id: id, content });
      expect(outcomeOf(await comment('teacher', '<script>alert(1)</script>'))).toEqual([200, '提交成功']);
      expect((await comment('assist', '第二条')).status).toBe(200);
      const { comments, comment_num } = await post('assist', id);
      expect(comment_num).toBe(2);
      expect(comments).toMatchObject([
        { content: '第二条', user_type: 3, is_own: 1 },
        { content: '<script>alert(1)</script>', nickname: '姓名teacher', user_type: 2, is_own: 0 },
      ]);
      expect((await post('assist', id, '?page=2&limit=1')).comments).toMatchObject([{ nickname: '姓名teacher' }]);
      expect(outcomeOf(await comment('teacher', '\u3000 '))).toEqual([422, '请输入评论内容']);
      expect(outcomeOf(await comment('teacher', '长'.repeat(501)))).toEqual([422, '评论内容不能超过500个字']);
      expect(outcomeOf(await as('teacher').post('community/comment', { content: '哪里？' }))).toEqual([
        404,
        '帖子不存在或已被删除',
      ]);
    });

    it('is liked once, and unliked once', async () => {
      const id = ids.studentPost;
      const like = async (name: Name, is_like: number) =>
        (await as(name).put(`community/like/${id}`, { is_like })).body.data;
      expect(await like('teacher', 1)).toEqual({ like_num: 1, is_like: 1 });
      expect(await like('teacher', 1)).toEqual({ like_num: 1, is_like: 1 });
      expect(await like('assist', 1)).toEqual({ like_num: 2, is_like: 1 });
      expect(await like('teacher', 0)).toEqual({ like_num: 1, is_like: 0 });
      expect(await like('teacher', 0)).toEqual({ like_num: 1, is_like: 0 });
      expect(await post('assist', id)).toMatchObject({ like_num: 1, is_like: 1 });
    });

    it('keeps one bookmark id until its owner removes the bookmark', async () => {
      const collect = () => as('teacher').post('community/collect', { post_id: ids.studentPost });
      const { body } = await collect();
      const { collect_id } = body.data;
      expect([body.msg, (await collect()).body.data.collect_id]).toEqual(['收藏成功', collect_id]);
      expect((await post('teacher', ids.studentPost)).collect_id).toBe(collect_id);
      expect((await post('assist', ids.studentPost)).collect_id).toBe(0);
      expect((await as('assist').put(`community/collect/${collect_id}`)).status).toBe(404);
      expect(outcomeOf(await as('teacher').put(`community/collect/${collect_id}`))).toEqual([200, '取消收藏成功']);
      expect(outcomeOf(await as('teacher').put(`community/collect/${collect_id}`))).toEqual([
        404,
        '收藏不存在或已取消',
      ]);
    });

    it('is reported once by each person but its author; the head teacher sees the count', async () => {
      const id = await addPost('assist', { group_id: ids.circle });
      const report = async (name: Name, body: object) =>
        outcomeOf(await as(name).post('community/report', { post_id: id, ...body }));
      expect(await report('assist', { type: 1 })).toEqual([409, '不能举报自己发布的帖子']);
      expect(await report('otherTeacher', { content: '没有原因' })).toEqual([422, '请选择举报原因']);
      expect(await report('otherTeacher', { type: 9 })).toEqual([422, '请选择举报原因']);
      expect(await report('otherTeacher', { type: 5, content: '长'.repeat(201) })).toEqual([
        422,
        '举报说明不能超过200个字',
      ]);
      expect(await report('otherTeacher', { type: 1, content: '广告' })).toEqual([200, '提交成功']);
      expect(await report('otherTeacher', { type: 2 })).toEqual([409, '您已举报过该帖子']);
      expect(await report('teacher', { type: 2 })).toEqual([200, '提交成功']);
      expect((await post('teacher', id)).report_num).toBe(2);
      expect((await post('otherTeacher', id)).report_num).toBe(0);
    });

    it('appears in the lists of own, joined and bookmarked posts', async () => {
      const mine = await addPost('plainTeacher', { group_id: await clubOf('plainTeacher') });
      const other = await addPost('plainTeacher', { group_id: await clubOf('plainTeacher') });
      expect(await listIds('plainTeacher', 'community/post/mine')).toEqual([other, mine]);
      expect(await listIds('plainTeacher', 'community/post/mine?tab=0&limit=1&page=2')).toEqual([mine]);
      expect(await listIds('plainTeacher', 'community/post/mine?tab=1')).toEqual([]);
      await as('plainTeacher').post('community/comment', { post_id: mine, content: '一' });
      await as('plainTeacher').post('community/comment', { post_id: mine, content: '二' });
      await as('plainTeacher').put(`community/like/${other}`, {});
      expect(await listIds('plainTeacher', 'community/post/mine?tab=1')).toEqual([other, mine]);
      await as('plainTeacher').post('community/collect', { post_id: other });
      school().setNow(noon + 60);
      await as('plainTeacher').post('community/collect', { post_id: mine });
      expect(await listIds('plainTeacher', 'community/post/mine?tab=2')).toEqual([mine, other]);
      school().setNow(noon);
      await as('plainTeacher').delete(`community/post/${other}`);
      expect(await listIds('plainTeacher', 'community/post/mine?tab=2')).toEqual([mine]);
    });

    const clubOf = async (name: Name): Promise<number> => {
      const { id: staff_id } = school().people[name];
      const known = await db()
        .selectFrom('community_member')
        .select('id')
        .where('staff_id', '=', staff_id)
        .executeTakeFirst();
      if (!known) {
        await db()
          .insertInto('community_member')
          .values({ group_id: ids.club, user_type: 2, staff_id, student_id: null, joined_at: noon })
          .execute();
        await db()
          .updateTable('community_group')
          .set((eb) => ({ user_num: eb('user_num', '+', 1) }))
          .where('id', '=', ids.club)
          .execute();
      }
      return ids.club;
    };
  });

  it('keeps its counts right under concurrent requests', async () => {
    const id = await addPost('assist', { group_id: ids.circle });
    const people = ['teacher', 'otherTeacher', 'assist'] as const;
    await Promise.all([
      ...people.flatMap((name) =>
        Array.from({ length: 4 }, () => as(name).post('community/comment', { post_id: id, content: '好' })),
      ),
      ...people.flatMap((name) => Array.from({ length: 3 }, () => as(name).put(`community/like/${id}`, {}))),
      ...people.map((name) => as(name).post('community/report', { post_id: id, type: 1 })),
      ...people.map((name) => publish(name, { group_id: ids.circle, content: '同时' })),
    ]);
    expect(await post('teacher', id)).toMatchObject({ comment_num: 12, like_num: 3, report_num: 2 });
  });

  it('keeps every counter equal to a recount after random actions', async () => {
    const random = seededRandom(7);
    const people = ['teacher', 'otherTeacher', 'assist'] as const;
    const posts: number[] = [];
    for (let step = 0; step < 150; step += 1) {
      const name = random.pick(people);
      const id = posts.length > 0 ? random.pick(posts) : ids.studentPost;
      const deed = random.whole(1, 8);
      if (deed === 1) posts.push(await addPost(name, { group_id: ids.circle }));
      else if (deed === 2) await as(name).delete(`community/post/${id},${random.pick([id, ...posts])}`);
      else if (deed <= 4) await as(name).put(`community/like/${id}`, { is_like: random.whole(0, 1) });
      else if (deed <= 6) await as(name).post('community/comment', { post_id: id, content: '好' });
      else if (deed === 7) await as(name).post('community/report', { post_id: id, type: 1 });
      else await as(name).post('community/collect', { post_id: id });
    }
    await expectCommunityCountersToBeRight(db());
  });

  describe('community switches of the school', () => {
    const paths = () => [
      `community/post/class/${school().classes.k1}`,
      `community/group/${ids.circle}`,
      `community/group/post/${ids.circle}`,
      `community/post/${ids.studentPost}`,
    ];
    const withoutFeature = async (name: 'community_module' | 'class_circle', work: () => Promise<void>) => {
      await storeSetting(db(), name, '0');
      await work();
      await storeSetting(db(), name, '1');
      expect((await as('teacher').get(`community/group/${ids.circle}`)).status).toBe(200);
    };

    it('hide the circle of one class', async () => {
      const setHidden = (group_hidden: 1 | 2) =>
        db().updateTable('class').set({ group_hidden }).where('id', '=', school().classes.k1).execute();
      await setHidden(2);
      for (const path of paths()) expect((await as('teacher').get(path)).status, path).toBe(404);
      expect(outcomeOf(await as('teacher').get(`community/post/class/${school().classes.k1}`))).toEqual([
        404,
        '该班级没有开放班级圈子',
      ]);
      expect(outcomeOf(await publish('teacher', { class_id: school().classes.k1, content: '你好' }))).toEqual([
        404,
        '该班级没有开放班级圈子',
      ]);
      await setHidden(1);
      for (const path of paths()) expect((await as('teacher').get(path)).status, path).toBe(200);
    });

    it('hide all circles, but not the groups', async () => {
      await withoutFeature('class_circle', async () => {
        for (const path of paths()) expect((await as('teacher').get(path)).status, path).toBe(404);
        expect(await listIds('teacher', 'community/group/myGroup')).toEqual([ids.club]);
        expect(await listIds('teacher', 'community/post/mine?tab=0')).toEqual([]);
      });
    });

    it('hide the whole community', async () => {
      await withoutFeature('community_module', async () => {
        const others = ['community/group/myGroup', 'community/post/mine', `community/group/${ids.club}`];
        for (const path of [...paths(), ...others]) {
          expect(outcomeOf(await as('teacher').get(path)), path).toEqual([404, '学校没有开放社区']);
        }
        expect(outcomeOf(await publish('teacher', { group_id: ids.club, content: '你好' }))).toEqual([
          404,
          '学校没有开放社区',
        ]);
      });
    });
  });
});
