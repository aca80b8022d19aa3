import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeSetting } from '#server/school/settings.ts';
import { formOf, openApp, type Page, signInAs, typedText, type Visitor } from '../support/app.ts';
import { noon, openTestSchool, type TestSchool } from '../support/school.ts';

const hour = 60 * 60;
/** Local Shanghai time in the format of a datetime-local field. */
const typedTime = (seconds: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' })
    .format(seconds * 1000)
    .replace(' ', 'T');

describe('class circle and community without client JS', () => {
  let school: TestSchool;
  let app: Awaited<ReturnType<typeof openApp>>;
  let teacher: Visitor;
  let assist: Visitor;
  let picture: Uint8Array<ArrayBuffer>;
  const circle = () => `/classes/detail?id=${school.classes.k1}&tab=circle`;

  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    const { db } = school.database;
    await db
      .updateTable('class_student')
      .set({ joined_at: noon - 90 * 24 * hour })
      .execute();
    await db
      .updateTable('class_student')
      .set({ left_at: noon - 24 * hour })
      .where('left_at', 'is not', null)
      .execute();
    await db
      .insertInto('class_staff')
      .values({ class_id: school.classes.k1, staff_id: school.people.teacher.id, duty: 'head' })
      .execute();
    app = await openApp(school);
    teacher = await signInAs(school, app, 'teacher');
    assist = await signInAs(school, app, 'assist');
    picture = new Uint8Array(
      await sharp({ create: { width: 20, height: 20, channels: 3, background: '#1864ab' } })
        .png()
        .toBuffer(),
    );
  });
  afterAll(() => school.close());

  const png = (name = '图.png') => new File([picture], name, { type: 'image/png' });
  /** Sends a page's post form like a browser. */
  const publish = (visitor: Visitor, page: Page, content: string, files: File[] = []) => {
    const { action, fields } = formOf(page, '发布');
    const form = new FormData();
    for (const [name, value] of fields) if (name !== 'content' && name !== 'files') form.append(name, value);
    form.append('content', content);
    // Kept pictures are checked boxes, since formOf drops unchecked ones.
    for (const file of files.length > 0 ? files : [new File([], '')]) form.append('files', file);
    return visitor.postForm(action, form);
  };
  const submit = async (visitor: Visitor, path: string, button: string, typed: Record<string, string> = {}) => {
    const page = await visitor.get(path);
    const { action, fields } = formOf(page, button);
    const kept = fields.filter(([name]) => !(name in typed));
    return visitor.post(action || path, [...kept, ...Object.entries(typed)]);
  };
  const linkOf = (page: Page, text: string) =>
    [...page.document.querySelectorAll('a')].find((link) => link.textContent?.trim() === text)?.getAttribute('href') ??
    '';
  const latest = (table: 'community_post' | 'class_notice' | 'class_meeting') =>
    school.database.db.selectFrom(table).selectAll().orderBy('id', 'desc').executeTakeFirst() as Promise<
      // biome-ignore lint/suspicious/noExplicitAny: whichever row it is.
      Record<string, any>
    >;

  describe('the circle', () => {
    it("publishes a post with pictures; its only script is the draft's", async () => {
      const page = await assist.get(circle());
      const scripts = [...page.document.querySelectorAll('script[src]')].map((one) => one.getAttribute('src') ?? '');
      expect(scripts.filter((src) => !src.includes('islands'))).toEqual([]);
      const sent = await publish(assist, page, '第一个帖子\n<b>不是标签</b>', [png(), png('二.png')]);
      expect([sent.status, sent.location]).toEqual([302, circle()]);
      const shown = await assist.follow(sent);
      expect(shown.text).toContain('添加成功');
      expect(shown.html).toContain('&lt;b&gt;不是标签&lt;/b&gt;');
      const addresses = [...shown.document.querySelectorAll('article img')].map((one) => one.getAttribute('src'));
      expect(addresses).toHaveLength(2);
      const file = await assist.get(addresses[0] as string);
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
    });

    it('refuses 10,000 characters and blank text, and keeps text and pictures', async () => {
      const long = '长'.repeat(10_000);
      const refused = await publish(assist, await assist.get(circle()), long, [png()]);
      expect(refused.status).toBe(422);
      expect(refused.document.querySelector('[role=alert]')?.textContent).toBe('帖子内容不能超过2000个字');
      const area = refused.document.querySelector('#post-content');
      expect([typedText(area as Element), area?.getAttribute('aria-describedby')?.split(/ +/)]).toEqual([
        long,
        ['post-content-error', 'post-content-description'],
      ]);
      const kept = refused.document.querySelector('input[name=images]')?.getAttribute('value');
      expect(kept).toMatch(/^\/files\/.+\.png$/);
      const again = await publish(assist, refused, '短一些', [png()]);
      expect(again.status).toBe(302);
      const { content, images } = await latest('community_post');
      expect([content, JSON.parse(images).length, JSON.parse(images)[0]]).toEqual(['短一些', 2, kept]);
      const spaces = await publish(assist, await assist.get(circle()), ' \u3000 ');
      expect([spaces.status, spaces.text.includes('请输入帖子内容')]).toEqual([422, true]);
    });

    it('rotates and scales phone photos, and strips their metadata', async () => {
      const photo = await sharp({ create: { width: 3000, height: 1000, channels: 3, background: '#a61e4d' } })
        .withExif({ IFD0: { Make: '某手机' }, IFD3: { GPSLatitude: '31/1 13/1 0/1' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer();
      const file = new File([new Uint8Array(photo)], '照片.jpg', { type: 'image/jpeg' });
      await publish(assist, await assist.get(circle()), '一张照片', [file]);
      const { images } = await latest('community_post');
      const key = (JSON.parse(images)[0] as string).replace('/files/', '');
      const kept = await school.services.storage.readWhole(key, 10_000_000);
      const { width, height, exif, orientation } = await sharp(kept as Uint8Array).metadata();
      expect([width, height, exif, orientation]).toEqual([900, 2700, undefined, undefined]);
    });

    it.each([
      ['a file that is no picture', () => [new File(['x'], '图.png', { type: 'image/png' })], 415, undefined],
      ['a text file', () => [new File(['x'], '文.exe')], 415, undefined],
      ['ten pictures', () => Array.from({ length: 10 }, () => png()), 422, '最多添加9张图片'],
      [
        'more than 20 MB',
        () => [new File([new Uint8Array(20 * 1024 * 1024 + 1)], '大.png')],
        413,
        '图片不能超过 20 MB',
      ],
    ])('reports errors of %s and keeps the text', async (_, files, status, message) => {
      const before = await latest('community_post');
      const refused = await publish(assist, await assist.get(circle()), '还在这里', files());
      expect(refused.status).toBe(status);
      const said = refused.document.querySelector('#post-files-error')?.textContent ?? '';
      if (message) expect(said).toBe(message);
      else expect(said).toMatch(/[\u4e00-\u9fff]/);
      expect(typedText(refused.document.querySelector('#post-content') as Element)).toBe('还在这里');
      expect((await latest('community_post')).id).toBe(before.id);
    });

    it('creates one post for a repeated form', async () => {
      const page = await assist.get(circle());
      const [first, second] = [await publish(assist, page, '两次'), await publish(assist, page, '两次')];
      expect([first.status, second.status]).toEqual([302, 302]);
      const same = await school.database.db
        .selectFrom('community_post')
        .select('id')
        .where('content', '=', '两次')
        .execute();
      expect(same).toHaveLength(1);
    });

    it('keeps the text of a form sent after the session expired', async () => {
      const late = await signInAs(school, app, 'otherAssist');
      const { k3 } = school.classes;
      const page = await late.get(`/classes/detail?id=${k3}&tab=circle`);
      const token = { revoked_at: noon };
      const { id } = school.people.otherAssist;
      await school.database.db.updateTable('sign_in').set(token).where('staff_id', '=', id).execute();
      const text = '这一段写了很久很久，不能因为登录过期就没有了。';
      const refused = await publish(late, page, text, [png()]);
      expect(refused.status).toBe(401);
      expect(refused.html).toContain(text);
      await school.database.db.updateTable('sign_in').set({ revoked_at: null }).where('staff_id', '=', id).execute();
    });

    it('lets the head teacher delete posts after confirmation', async () => {
      await publish(assist, await assist.get(circle()), '要删除的帖子');
      expect((await assist.get(circle())).text).not.toContain('批量删除');
      const { id } = await latest('community_post');
      const page = await teacher.get(circle());
      expect(linkOf(page, '删除')).toBe(`/classes/detail/delete-posts?id=${school.classes.k1}&tab=circle&post=${id}`);
      const dialog = await teacher.get(linkOf(page, '删除'));
      expect(dialog.text).toContain('帖子删除后不可恢复，确定删除吗？');
      const done = await submit(teacher, linkOf(page, '删除'), '确定删除');
      expect(done.location).toBe(circle());
      const after = await teacher.follow(done);
      expect(after.text).toContain('删除成功');
      expect(after.text).not.toContain('要删除的帖子');
      // Posts deleted by others meanwhile.
      expect((await teacher.get(linkOf(page, '删除'))).status).toBe(404);
      const nothing = await teacher.get(`/classes/detail/delete-posts?id=${school.classes.k1}&tab=circle`);
      expect(nothing.text).toContain('请选择要删除的帖子');
    });

    it("explains why the school's post stays, and keeps others", async () => {
      const { db } = school.database;
      await publish(assist, await assist.get(circle()), '留下的帖子');
      const other = await latest('community_post');
      const { id } = await db
        .insertInto('community_post')
        .values({
          group_id: other.group_id,
          user_type: 4,
          staff_id: null,
          student_id: null,
          content: '学校通知',
          created_at: noon,
          deleted_at: null,
          deleted_by: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const path = `/classes/detail/delete-posts?id=${school.classes.k1}&tab=circle&post=${id}&post=${other.id}`;
      const closed = await teacher.get(path);
      expect([closed.status, closed.document.querySelector('dialog form')]).toEqual([403, null]);
      expect(closed.text).toContain('学校发布的帖子不能删除');
      const refused = await teacher.post(path, []);
      expect([refused.status, refused.text.includes('学校发布的帖子不能删除')]).toEqual([403, true]);
      expect((await teacher.get(circle())).text).toContain(other.content);
      await db.deleteFrom('community_post').where('id', '=', id).execute();
    });

    it('answers 404 where the class hides it', async () => {
      const { db } = school.database;
      const setHidden = (group_hidden: 1 | 2) =>
        db.updateTable('class').set({ group_hidden }).where('id', '=', school.classes.k1).execute();
      const post = await latest('community_post');
      await setHidden(2);
      expect((await teacher.get(circle())).status).toBe(404);
      expect((await teacher.get(`/community/detail?id=${post.id}&group_id=${post.group_id}&type=1`)).status).toBe(404);
      await setHidden(1);
    });
  });

  describe('a post', () => {
    const latestAddress = async () => {
      const post = await latest('community_post');
      return `/community/detail?id=${post.id}&group_id=${post.group_id}&type=1`;
    };

    it('takes comments with markup as text, and keeps refused ones', async () => {
      const path = await latestAddress();
      const sent = await submit(teacher, path, '评论', { content: '<script>alert(1)</script>' });
      expect(sent.location).toContain('#comments');
      const page = await teacher.follow(sent);
      expect(page.text).toContain('提交成功');
      expect(page.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(page.text).toContain('评论 1');
      const long = '长'.repeat(501);
      const refused = await submit(teacher, path, '评论', { content: long });
      expect([refused.status, typedText(refused.document.querySelector('#comment') as Element)]).toEqual([422, long]);
      expect(refused.document.querySelector('#comment-error')?.textContent).toBe('评论内容不能超过500个字');
    });

    it('is liked and bookmarked, and both are undone', async () => {
      const path = await latestAddress();
      expect((await teacher.follow(await submit(teacher, path, '点赞 0'))).text).toContain('取消点赞 1');
      expect((await teacher.follow(await submit(teacher, path, '取消点赞 1'))).text).toContain('点赞 0');
      expect((await teacher.follow(await submit(teacher, path, '收藏'))).text).toContain('收藏成功');
      const collection = await teacher.get('/community?tab=2');
      expect(collection.text).toContain('一班');
      const cancelled = await teacher.follow(await submit(teacher, '/community?tab=2', '取消收藏'));
      expect(cancelled.text).toContain('取消收藏成功');
      expect(cancelled.text).toContain('还没有收藏帖子');
    });

    it('is reported with a reason', async () => {
      const path = await latestAddress();
      const dialog = linkOf(await teacher.get(path), '举报');
      const refused = await submit(teacher, dialog, '提交', { content: '说明' });
      expect([refused.status, refused.text.includes('请选择举报原因')]).toEqual([422, true]);
      const sent = await submit(teacher, dialog, '提交', { type: '1', content: '说明' });
      expect(sent.location).toBe(path);
      const shown = await teacher.follow(sent);
      expect(shown.text).toContain('被举报 1 次');
      expect(linkOf(shown, '举报')).toBe('');
      const again = await teacher.get(dialog);
      expect([again.status, again.document.querySelector('dialog form')]).toEqual([409, null]);
      expect(again.text).toContain('您已举报过该帖子');
    });

    it('counts a line break as one character', async () => {
      const path = await latestAddress();
      const sent = await submit(teacher, path, '评论', { content: '行\r\n'.repeat(250) });
      expect(sent.location).toContain('#comments');
    });

    it('links back to where it was opened', async () => {
      const { id } = await latest('community_post');
      const address = linkOf(await assist.get('/community'), '详情');
      expect(address).toContain(`/community/show/${id}?`);
      const page = await assist.get(address);
      expect(linkOf(page, '返回我发布的')).toBe('/community?tab=0');
      const direct = await assist.get(`/community/show/${id}`);
      expect(linkOf(direct, '返回一班')).toBe(circle());
      expect((await assist.get('/community/show/999999')).status).toBe(404);
      expect((await assist.get('/community/show/x')).status).toBe(404);
    });
  });

  describe('the community', () => {
    let groups: number[];
    beforeAll(async () => {
      const { db } = school.database;
      const { school_id } = await db.selectFrom('staff').select('school_id').limit(1).executeTakeFirstOrThrow();
      groups = [];
      for (let number = 1; number <= 11; number += 1) {
        const { id } = await db
          .insertInto('community_group')
          .values({
            group_type: 2,
            class_id: null,
            school_id,
            name: `圈子${number}`,
            user_num: 1,
            created_at: noon,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        groups.push(id);
        await db
          .insertInto('community_member')
          .values({
            group_id: id,
            user_type: 2,
            staff_id: school.people.teacher.id,
            student_id: null,
            joined_at: noon,
          })
          .execute();
      }
    });

    it('shows ten groups a page, with a pager above ten', async () => {
      const page = await teacher.get('/community?tab=3');
      expect(page.text).toContain('圈子10');
      expect(page.text).not.toContain('圈子11');
      expect(linkOf(page, '下一页')).toBe('/community?tab=3&page=2');
      // A page beyond the last.
      expect((await teacher.get('/community?tab=3&page=9')).text).toContain('圈子11');
      await teacher.follow(await submit(teacher, `/community/group/${groups[10]}/leave`, '确定退出'));
      expect((await teacher.get('/community?tab=3')).document.querySelector('nav[aria-label=分页]')).toBeNull();
    });

    it('takes a post in a group, and is left after confirmation', async () => {
      const path = `/community/group/${groups[0]}`;
      const sent = await publish(teacher, await teacher.get(path), '圈子里的第一条');
      expect((await teacher.follow(sent)).text).toContain('圈子里的第一条');
      expect((await assist.get(path)).status).toBe(404);
      const dialog = await teacher.get(linkOf(await teacher.get(path), '退出圈子'));
      expect(dialog.text).toContain('确定退出吗？');
      const left = await teacher.follow(await submit(teacher, `${path}/leave`, '确定退出'));
      expect(left.text).toContain('退出圈子成功');
      expect((await teacher.get(path)).status).toBe(404);
    });

    describe('second page of community lists', () => {
      const closing = (page: Page) =>
        [...page.document.querySelectorAll('dialog[open] form a')].map((link) => link.getAttribute('href'));
      const fill = async (group_id: number) => {
        const { db } = school.database;
        const posts = Array.from({ length: 12 }, (_, number) => ({
          group_id,
          user_type: 2 as const,
          staff_id: school.people.teacher.id,
          student_id: null,
          content: `第${number}条`,
          created_at: noon,
          deleted_at: null,
          deleted_by: null,
        }));
        await db.insertInto('community_post').values(posts).execute();
        await db
          .updateTable('community_group')
          .set((eb) => ({ post_num: eb('post_num', '+', posts.length) }))
          .where('id', '=', group_id)
          .execute();
      };
      /** Opens, cancels and confirms the dialog, checking each target. */
      const waysOf = async (from: string) => {
        const dialog = linkOf(await teacher.get(from), '删除');
        const asked = await teacher.get(dialog);
        expect(asked.text).toContain('帖子删除后不可恢复，确定删除吗？');
        const done = await submit(teacher, dialog, '确定删除');
        expect((await teacher.follow(done)).text).toContain('删除成功');
        return [...closing(asked), done.location];
      };
      const group = () => groups[1] as number;
      const lists = (): [list: string, label: string][] => [
        [`/community/group/${group()}?page=2`, '返回圈子2'],
        ['/community?tab=0&page=2', '返回我发布的'],
        [`${circle()}&page=2`, '返回一班'],
      ];
      beforeAll(async () => {
        await fill(group());
        const { id } = await school.database.db
          .selectFrom('community_group')
          .select('id')
          .where('class_id', '=', school.classes.k1)
          .executeTakeFirstOrThrow();
        await fill(id);
        await fill(id);
      });

      it('asks before deleting a post, and returns there', async () => {
        for (const [list] of lists()) expect(await waysOf(list)).toEqual([list, list]);
        expect(await waysOf('/community?page=2')).toEqual(['/community?page=2', '/community?page=2']);
      });

      it('is the way back from a post, also after deleting or liking it', async () => {
        for (const [list, label] of lists()) {
          const path = linkOf(await teacher.get(list), '详情');
          expect(linkOf(await teacher.get(path), label)).toBe(list);
          const liked = await teacher.follow(await submit(teacher, path, '点赞 0'));
          expect(linkOf(liked, label)).toBe(list);
          expect(await waysOf(path)).toEqual([path, list]);
        }
      });

      it('asks before leaving a group', async () => {
        const list = `/community/group/${group()}?page=2`;
        expect(closing(await teacher.get(linkOf(await teacher.get(list), '退出圈子')))).toEqual([list]);
      });
    });

    it('disappears from navigation and addresses with its switch', async () => {
      expect(linkOf(await teacher.get('/homework'), '社区')).toBe('/community');
      await storeSetting(school.database.db, 'community_module', '0');
      expect(linkOf(await teacher.get('/homework'), '社区')).toBe('');
      for (const path of ['/community', `/community/group/${groups[1]}`, circle()]) {
        expect((await teacher.get(path)).status, path).toBe(404);
      }
      const tabs = (await teacher.get(`/classes/detail?id=${school.classes.k1}`)).text;
      expect(tabs).not.toContain('班级圈子');
      await storeSetting(school.database.db, 'community_module', '1');
    });
  });

  describe('announcements', () => {
    const form = () => `/classes/notice?class_id=${school.classes.k1}`;
    const tab = () => `/classes/detail?id=${school.classes.k1}&tab=notice`;

    it('are posted by the head teacher; a title of 31 characters is refused without loss', async () => {
      const typed = { title: '长'.repeat(31), content: '第一段 <b>\n第二段' };
      const refused = await submit(teacher, form(), '发布', typed);
      expect(refused.status).toBe(422);
      expect(refused.document.querySelector('#title-error')?.textContent).toBe('标题不能超过30个字');
      expect(refused.document.querySelector('#title')?.getAttribute('value')).toBe(typed.title);
      expect(typedText(refused.document.querySelector('#notice-content') as Element)).toBe(typed.content);
      const sent = await submit(teacher, form(), '发布', { ...typed, title: '期中安排' });
      expect(sent.location).toBe(tab());
      expect((await latest('class_notice')).content).toBe('<p>第一段 &lt;b&gt;</p><p>第二段</p>');
      const list = await teacher.follow(sent);
      for (const text of ['添加成功', '期中安排', '第一段', '编辑', '删除']) expect(list.text).toContain(text);
    });

    it('are readable by class staff, editable by the head teacher alone', async () => {
      const list = await assist.get(tab());
      expect(list.text).not.toContain('发布公告');
      expect(linkOf(list, '删除')).toBe('');
      const view = await assist.get(linkOf(list, '期中安排'));
      expect(view.document.querySelector('dialog')?.textContent).toContain('第一段 <b>');
      expect((await assist.get(form())).status).toBe(403);
      const { id } = await latest('class_notice');
      expect((await assist.get(`${form()}&id=${id}`)).status).toBe(403);
      expect((await assist.get(`/classes/detail/notice/${id}/delete?id=${school.classes.k1}&tab=notice`)).status).toBe(
        403,
      );
    });

    it('are edited as HTML, and deleted after confirmation', async () => {
      const { id } = await latest('class_notice');
      await school.database.db
        .updateTable('class_notice')
        .set({ content: '<p>带<strong>格式</strong></p>' })
        .where('id', '=', id)
        .execute();
      const path = `${form()}&id=${id}`;
      const page = await teacher.get(path);
      expect(typedText(page.document.querySelector('#notice-content') as Element)).toBe(
        '<p>带<strong>格式</strong></p>',
      );
      const edited = await submit(teacher, path, '发布', { content: '<p>改<em>过</em></p><script>1</script>' });
      expect((await teacher.follow(edited)).text).toContain('编辑成功');
      expect((await latest('class_notice')).content).toBe('<p>改<em>过</em></p>');
      const remove = linkOf(await teacher.get(tab()), '删除');
      expect((await teacher.get(remove)).text).toContain('确定删除吗？');
      const after = await teacher.follow(await submit(teacher, remove, '确定删除'));
      expect(after.text).toContain('删除成功');
      expect(after.text).toContain('暂无公告');
    });
  });

  describe('class meetings', () => {
    const form = () => `/classes/meeting?class_id=${school.classes.k1}`;
    const tab = () => `/classes/detail?id=${school.classes.k1}&tab=meeting`;
    const start = Math.floor(noon / 60) * 60 + 24 * hour;

    it("use the school's time zone; an end before the start keeps typed text", async () => {
      const typed = { meeting_name: '家长会', start_time: typedTime(start), end_time: typedTime(start - hour) };
      const refused = await submit(teacher, form(), '保存', typed);
      expect(refused.status).toBe(422);
      expect(refused.document.querySelector('#end_time-error')?.textContent).toBe('结束时间必须晚于开始时间');
      for (const [name, value] of Object.entries(typed)) {
        expect(refused.document.querySelector(`#${name}`)?.getAttribute('value')).toBe(value);
      }
      const sent = await submit(teacher, form(), '保存', { ...typed, end_time: typedTime(start + hour) });
      expect((await teacher.follow(sent)).text).toContain('添加成功');
      expect(await latest('class_meeting')).toMatchObject({ start_time: start, end_time: start + hour });
      expect((await assist.get(form())).status).toBe(403);
      expect((await assist.get(tab())).text).not.toContain('添加班会');
    });

    it('show codes, and statistics from the start', async () => {
      const { id, teacher_code, assistant_code, student_code } = await latest('class_meeting');
      const list = await assist.get(tab());
      expect(linkOf(list, '进入')).toBe(`/live?type=meeting&id=${id}`);
      const statistics = [...list.document.querySelectorAll('button')].find((one) => one.textContent === '统计');
      expect(statistics?.hasAttribute('disabled')).toBe(true);
      const codesFor = async (person: Visitor) => {
        const codes = await person.get(linkOf(await person.get(tab()), '参会码'));
        return [...codes.document.querySelectorAll('dialog input')].map((one) => one.getAttribute('value'));
      };
      expect(await codesFor(teacher)).toEqual([teacher_code, assistant_code, student_code]);
      // An assistant without the head role gets no lecturer link.
      expect(await codesFor(assist)).toEqual([assistant_code, student_code]);
      const path = `/classes/meeting/statistics?id=${id}`;
      const early = await assist.get(path);
      expect([early.status, early.text.includes('班会尚未开始，暂无统计')]).toEqual([409, true]);

      await school.database.db
        .updateTable('class_meeting')
        .set({ start_time: noon - hour, end_time: noon - 60 })
        .where('id', '=', id)
        .execute();
      await school.database.db
        .insertInto('class_meeting_attendance')
        .values({ meeting_id: id, student_id: school.students.k1[0] as number, joined_at: noon - hour })
        .execute();
      expect(linkOf(await assist.get(tab()), '进入')).toBe('');
      const page = await assist.get(path);
      expect(page.text).toContain('参会1未参会1');
      const absent = await assist.get(linkOf(page, '未参会 1'));
      expect(absent.document.querySelectorAll('tbody tr')).toHaveLength(1);
      expect(absent.text).toContain('学生一班2');
    });

    it('cannot be edited after the end, but deleted after confirmation', async () => {
      const { id } = await latest('class_meeting');
      const over = await teacher.get(`${form()}&id=${id}`);
      expect([over.status, over.text.includes('班会已结束，不能编辑')]).toEqual([409, true]);
      const path = linkOf(await teacher.get(tab()), '删除');
      expect((await teacher.get(path)).text).toContain('删除后数据无法恢复，确定删除本次班会吗?');
      const after = await teacher.follow(await submit(teacher, path, '确定删除'));
      expect(after.text).toContain('删除成功');
      expect(after.text).toContain('暂无班会');
    });
  });
});
