import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { removeUnreferenced } from '#server/courseware/file.ts';
import {
  compound,
  openXml,
  pdfWithTable,
  presentationUser,
  withPassword,
  wordStream,
  zipOf,
} from '../files/samples.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, type TestSchool } from '../support/school.ts';
import { insertSession } from '../support/sessions.ts';

type Name = keyof TestSchool['people'];
type Fields = Record<string, string>;

const pdf = () => new Uint8Array(pdfWithTable(''));
const form = (fields: Fields, file?: File) => {
  const sent = new FormData();
  for (const [name, value] of Object.entries(fields)) sent.set(name, value);
  if (file) sent.set('file', file);
  return sent;
};

onBothEngines('courseware', (school) => {
  const ids = {} as Record<
    'category' | 'otherCategory' | 'schoolWare' | 'otherSchoolWare' | 'lesson' | 'theirLesson',
    number
  >;
  const wareIds = async (person: Name, search = '') =>
    (await school().as(person).get(`courseWare?limit=100${search}`)).body.data.list.map(
      (ware: { id: number }) => ware.id,
    );
  const lessonWares = async (person: Name, lesson = ids.lesson) =>
    (await school().as(person).get(`courseWare/lesson?times_id=${lesson}&times_type=3`)).body.data;
  const upload = (person: Name, fields: Fields, file: File | undefined = new File([pdf()], '讲义.pdf'), headers = {}) =>
    school()
      .as(person)
      .post('courseWare/upload', form({ ware_type: '1', ...fields }, file), headers);
  const toLibrary = (person: Name, fields: Fields = {}, file?: File) =>
    upload(person, { classify_id: String(ids.category), ...fields }, file);
  /** Id of the courseware with this name in the person's library. */
  const idOf = async (person: Name, name: string): Promise<number> => {
    const { body } = await school()
      .as(person)
      .get(`courseWare?ware_name=${encodeURIComponent(name)}`);
    return body.data.list[0]?.id;
  };

  beforeAll(async () => {
    const { db } = school().database;
    const id = async (query: { executeTakeFirstOrThrow(): Promise<{ id: number }> }) =>
      (await query.executeTakeFirstOrThrow()).id;
    const classify = (name: string, sort: number) =>
      id(db.insertInto('ware_classify').values({ name, sort }).returning('id'));
    ids.otherCategory = await classify('复习', 2);
    ids.category = await classify('同步', 1);
    const stored = await school().services.storage.put(Readable.from([Buffer.from(pdf())]), {
      extension: 'pdf',
      limit: 1e6,
    });
    if (!('ok' in stored)) throw new Error('not stored');
    const otherSchool = await id(db.insertInto('school').values({ org_name: '分校' }).returning('id'));
    const ware = async (school_id: number, ware_name: string) => {
      const file_id = await id(
        db
          .insertInto('ware_file')
          .values({
            storage_key: stored.ok.key,
            name: `${ware_name}.pdf`,
            extension: 'pdf',
            size: stored.ok.size,
            uploaded_by: null,
            uploaded_at: noon - 9 * day,
          })
          .returning('id'),
      );
      return id(
        db
          .insertInto('courseware')
          .values({
            school_id,
            owner_id: null,
            file_id,
            classify_id: ids.otherCategory,
            ware_name,
            ware_type: 1,
            created_at: noon - 9 * day,
            updated_at: noon - 9 * day,
          })
          .returning('id'),
      );
    };
    const { school_id } = await db.selectFrom('staff').select('school_id').limit(1).executeTakeFirstOrThrow();
    ids.schoolWare = await ware(school_id, '学校课件');
    ids.otherSchoolWare = await ware(otherSchool, '分校课件');
    const lesson = (lecturer_id: number, class_id: number) =>
      insertSession(school(), { lecturer_id, class_id, start_time: noon + 3600 });
    const { people, classes } = school();
    ids.lesson = await lesson(people.teacher.id, classes.k1);
    ids.theirLesson = await lesson(people.otherTeacher.id, classes.k3);
  });

  describe('the library', () => {
    it("shows the school's courseware and one's own uploads, the newest first", async () => {
      expect((await toLibrary('teacher', { ware_name: '我的讲义', ware_desc: '第一版' })).body).toMatchObject({
        code: 200,
        msg: '上传成功',
        data: { ware_filename: '讲义.pdf', file_size: pdf().byteLength },
      });
      expect((await toLibrary('otherTeacher', { ware_name: '他的讲义' })).status).toBe(200);
      const { list, total } = (await school().as('teacher').get('courseWare')).body.data;
      expect(total).toBe(2);
      expect(list[0]).toMatchObject({ ware_name: '我的讲义', ware_desc: '第一版', classify_name: '同步', is_owner: 1 });
      expect(list[0].ware_id).toBe(list[0].id);
      expect(list[1]).toMatchObject({ id: ids.schoolWare, is_owner: 0, classify_name: '复习', ware_type: 1 });
      expect(await wareIds('assist')).toEqual([ids.schoolWare]);
      expect((await school().as('assist').get('courseWareClassify')).body.data).toEqual([
        { id: ids.category, classify_name: '同步' },
        { id: ids.otherCategory, classify_name: '复习' },
      ]);
    });

    it('filters by name, category and type, and ignores invalid filters', async () => {
      const own = await idOf('teacher', '我的');
      expect(await wareIds('teacher', `&classify_id=${ids.otherCategory}`)).toEqual([ids.schoolWare]);
      expect(await wareIds('teacher', '&ware_type=3')).toEqual([]);
      expect(await wareIds('teacher', '&is_own=1')).toEqual([own]);
      expect(await wareIds('teacher', '&ware_type=x&classify_id=-1')).toHaveLength(2);
      expect(await wareIds('teacher', '&ware_name=%25')).toEqual([]);
    });

    it('lets only the owner edit and remove', async () => {
      const own = await idOf('teacher', '我的');
      const body = { ware_name: '  新\n名字 ', ware_desc: '', classify_id: ids.otherCategory };
      const edit = (person: Name, id: number, sent: object = body) =>
        school().as(person).put(`courseWare/library/${id}`, sent);
      expect((await edit('teacher', own)).body.msg).toBe('编辑成功');
      expect((await school().as('teacher').get(`courseWare/library/${own}`)).body.data).toMatchObject({
        ware_name: '新 名字',
        classify_id: ids.otherCategory,
      });
      expect((await edit('teacher', own, { ware_name: ' ' })).body).toMatchObject({
        code: 422,
        errors: { ware_name: ['请输入'], classify_id: ['请选择'] },
      });
      expect((await edit('teacher', own, { ...body, ware_name: '字'.repeat(255) })).status).toBe(200);
      const long = await edit('teacher', own, { ...body, ware_name: '字'.repeat(256) });
      expect(long.body.errors.ware_name[0]).toContain('255');
      expect((await edit('otherTeacher', own)).status).toBe(404);
      expect((await edit('teacher', ids.schoolWare)).status).toBe(403);
      expect((await edit('teacher', ids.otherSchoolWare)).status).toBe(404);
      const remove = (person: Name, id: number | string) => school().as(person).delete(`courseWare/library/${id}`);
      expect((await remove('assist', own)).status).toBe(404);
      expect((await remove('assist', ids.schoolWare)).status).toBe(403);
      expect((await remove('teacher', 'x')).status).toBe(404);
      expect((await remove('teacher', own)).body.msg).toBe('移除成功');
      expect((await remove('teacher', own)).status).toBe(404);
    });

    it("requires a category, and defaults the name to the file's", async () => {
      expect((await upload('teacher', {})).body).toMatchObject({ code: 422, errors: { classify_id: ['请选择'] } });
      await toLibrary('teacher', {}, new File([pdf()], '../../课程 表.PDF'));
      const named = await idOf('teacher', '课程 表');
      expect((await school().as('teacher').get(`courseWare/library/${named}`)).body.data).toMatchObject({
        ware_name: '课程 表',
        ware_filename: '课程 表.PDF',
      });
    });

    it('creates one entry for a double click', async () => {
      const key = { 'idempotency-key': 'courseware-double-click' };
      const fields = { classify_id: String(ids.category), ware_name: '只此一份' };
      const [first, second] = [
        await upload('teacher', fields, undefined, key),
        await upload('teacher', fields, undefined, key),
      ];
      expect(second.body.data).toEqual(first.body.data);
      // Another file under the same key is refused.
      const larger = new File([new Uint8Array(pdfWithTable(' '))], '讲义.pdf');
      for (const file of [larger, new File([pdf()], '另一份.pdf')]) {
        const other = await upload('teacher', fields, file, key);
        expect([other.status, other.body.msg]).toEqual([409, '内容已变化，请重新提交']);
      }
      expect(await wareIds('teacher', `&ware_name=${encodeURIComponent('只此一份')}`)).toHaveLength(1);
    });
  });

  describe('an upload', () => {
    const bytes = {
      exe: new Uint8Array(Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500)])),
      html: new TextEncoder().encode('<html><script>alert(1)</script>'),
    };
    const refusal = async (type: string, name: string, content: Uint8Array, fields: Fields = {}) => {
      const file = new File([content as Uint8Array<ArrayBuffer>], name);
      const { status, body } = await toLibrary('teacher', { ware_type: type, ...fields }, file);
      expect(body.errors?.file).toEqual([body.msg]);
      return [status, body.msg] as const;
    };
    const mismatch = '文件内容与扩展名不符，请检查后重新上传';

    it('is refused if its content does not match its extension', async () => {
      expect(await refusal('1', '简历.docx', bytes.exe)).toEqual([415, mismatch]);
      expect(await refusal('1', '图.png', bytes.html)).toEqual([415, mismatch]);
      expect(await refusal('1', '表.docx', await openXml('spreadsheetml.sheet'))).toEqual([415, mismatch]);
      expect(await refusal('3', '歌.mp3', bytes.html)).toEqual([415, mismatch]);
      expect((await refusal('1', '页.html', bytes.html))[0]).toBe(415);
      expect(await refusal('1', '空.pdf', new Uint8Array())).toEqual([422, '文件内容为空']);
    });

    it('is refused if password-protected, with a message per format', async () => {
      const encrypted = compound({ EncryptionInfo: Buffer.alloc(64), EncryptedPackage: Buffer.alloc(5000) });
      const word = compound({ WordDocument: wordStream({ encrypted: true }) });
      const slides = compound({
        'Current User': presentationUser({ encrypted: true }),
        'PowerPoint Document': Buffer.alloc(5000),
      });
      for (const [name, content] of [
        ['a.docx', encrypted],
        ['a.pptx', encrypted],
        ['a.doc', word],
        ['a.ppt', slides],
      ] as const) {
        expect(await refusal('1', name, content), name).toEqual([422, 'Office 文件设有密码，请取消密码后再上传']);
      }
      expect(await refusal('1', 'a.pdf', pdfWithTable('/Encrypt 5 0 R'))).toEqual([
        422,
        'PDF 文件设有密码，请取消密码后再上传',
      ]);
      const locked = withPassword(await zipOf({ 'index.html': 'x' }));
      expect(await refusal('2', 'a.zip', locked)).toEqual([422, '压缩包设有密码，请取消密码后再上传']);
    });

    it('is refused in a format of another type; the library accepts fewer formats', async () => {
      expect((await refusal('2', 'a.pdf', pdf()))[0]).toBe(415);
      expect((await refusal('1', 'a.zip', await zipOf({ 'a.html': 'x' })))[0]).toBe(415);
      expect(await refusal('1', 'a.wps', bytes.exe)).toEqual([415, 'WPS 文档请转换为 PDF 后再上传']);
      expect(await refusal('3', 'a.zip', await zipOf({ 'a.mp3': 'x' }))).toEqual([
        415,
        '音视频文件不能压缩，请直接上传音视频文件',
      ]);
      const wave = new Uint8Array(Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), Buffer.alloc(60)]));
      expect((await refusal('3', 'a.wav', wave))[0]).toBe(415);
      const lesson = { ware_type: '3', times_id: String(ids.lesson), times_type: '3' };
      expect((await upload('teacher', lesson, new File([wave], 'a.wav'))).status).toBe(200);
    });

    it('of media beyond 100 MB is refused', async () => {
      const large = new Uint8Array(101 * 1024 * 1024);
      large.set([0xff, 0xfb, 0x90, 0x00]);
      expect(await refusal('3', '长.mp3', large)).toEqual([413, '音视频文件不能超过 100 MB']);
    });

    it('reports missing values by field', async () => {
      const none = await school()
        .as('teacher')
        .post('courseWare/upload', form({ ware_type: '9', is_sync: '5', times_id: String(ids.lesson) }));
      expect(none.body).toMatchObject({
        code: 422,
        errors: { ware_type: ['请选择'], file: ['请选择'], is_sync: ['请选择'] },
      });
      expect((await school().as('teacher').post('courseWare/upload', {})).status).toBe(415);
    });

    it('keeps a name of 250 Chinese characters', async () => {
      const name = `${'长'.repeat(250)}.pdf`;
      const { body } = await toLibrary('teacher', {}, new File([pdf()], name));
      expect(body.data.ware_filename).toBe(name);
    });

    it('leaves no files when refused or interrupted', async () => {
      const folder = school().filesFolder;
      const before = (await readdir(folder, { recursive: true })).length;
      await refusal('1', '简历.docx', bytes.exe);
      expect((await readdir(folder, { recursive: true })).length).toBe(before);

      const server = createServer((request, response) => {
        const init = {
          method: request.method,
          headers: request.headers as Fields,
          body: Readable.toWeb(request),
          duplex: 'half',
        };
        school()
          .api.fetch(new Request(`http://school.test${request.url}`, init as unknown as RequestInit))
          .then(({ status }) => response.writeHead(status).end())
          .catch(() => response.destroy());
      });
      await new Promise<void>((ready) => server.listen(0, ready));
      const socket = connect((server.address() as AddressInfo).port);
      const { token } = school().people.teacher;
      const part = (name: string, value: string) =>
        `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      socket.write(
        `POST /api/lector/courseWare/upload HTTP/1.1\r\nhost: school.test\r\nauthorization: Bearer ${token}\r\n` +
          'content-type: multipart/form-data; boundary=b\r\ncontent-length: 50000000\r\n\r\n' +
          part('ware_type', '3') +
          part('classify_id', String(ids.category)) +
          '--b\r\ncontent-disposition: form-data; name="file"; filename="a.mp3"\r\n\r\n',
      );
      socket.write(Buffer.alloc(5_000_000));
      const receiving = () => readdir(`${folder}/.receiving`);
      for (let tries = 0; tries < 1000 && (await receiving()).length === 0; tries += 1) await pause(10);
      expect(await receiving()).toHaveLength(1);
      socket.destroy();
      for (let tries = 0; tries < 1000 && (await receiving()).length > 0; tries += 1) await pause(10);
      expect(await receiving()).toEqual([]);
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      expect((await readdir(folder, { recursive: true })).length).toBe(before);
    });

    it('is deleted after a day if unused', async () => {
      const { db } = school().database;
      const { storage } = school().services;
      const { body } = await school()
        .as('teacher')
        .post('courseWare/file', form({ ware_type: '1' }, new File([pdf()], '没用上.pdf')));
      const { fid } = body.data;
      const { storage_key } = await db
        .selectFrom('ware_file')
        .select('storage_key')
        .where('id', '=', fid)
        .executeTakeFirstOrThrow();
      await removeUnreferenced({ db, storage, now: noon + day - 10 });
      expect(await storage.stat(storage_key)).not.toBeNull();
      const used = await db.selectFrom('courseware').select('file_id').execute();
      await removeUnreferenced({ db, storage, now: noon + day + 10 });
      expect(await storage.stat(storage_key)).toBeNull();
      const left = await db.selectFrom('ware_file').select('id').execute();
      expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining(used.map(({ file_id }) => file_id)));
    });
  });

  describe('a file', () => {
    const readFile = (person: Name | undefined, fid: number, headers: Fields = {}, search = '') => {
      const { identity, token } = person ? school().people[person] : { identity: 'teacher', token: 'none' };
      const prefix = identity === 'teacher' ? '/api/lector' : '/api/assistants';
      const url = `http://school.test${prefix}/courseWare/file/${fid}${search}`;
      return school().api.fetch(new Request(url, { headers: { authorization: `Bearer ${token}`, ...headers } }));
    };

    it('is served to people who may see it, with ranges and safe headers', async () => {
      const picture = new Uint8Array(
        await sharp({ create: { width: 20, height: 20, channels: 3, background: '#123' } })
          .png()
          .toBuffer(),
      );
      const { fid } = (await toLibrary('teacher', {}, new File([picture], '图 一.png'))).body.data;
      const whole = await readFile('teacher', fid);
      expect(Buffer.from(await whole.arrayBuffer()).equals(Buffer.from(picture))).toBe(true);
      expect(whole.headers.get('content-type')).toBe('image/png');
      expect(whole.headers.get('content-security-policy')).toContain('sandbox');
      expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
      const part = await readFile('teacher', fid, { range: 'bytes=1-3' });
      expect([part.status, await part.text()]).toEqual([206, 'PNG']);
      expect((await readFile('teacher', fid, {}, '?download=1')).headers.get('content-disposition')).toMatch(
        /^attachment/,
      );
      expect((await readFile('otherTeacher', fid)).status).toBe(404);
      expect((await readFile('assist', fid)).status).toBe(404);
      expect((await readFile(undefined, fid)).status).toBe(401);
      const info = await school().as('teacher').get(`courseWare/preview/info?fid=${fid}`);
      expect(info.body.data).toMatchObject({ url: `/courseware/file/${fid}`, content_type: 'image/png', inline: 1 });
      for (const [person, id] of [
        ['assist', fid],
        ['teacher', 'x'],
        ['teacher', 999_999],
      ] as const) {
        expect((await school().as(person).get(`courseWare/preview/info?fid=${id}`)).status).toBe(404);
      }
    });

    it("of the school's library is visible to its staff, and hidden from other schools", async () => {
      const { db } = school().database;
      const fileOf = async (id: number) =>
        (await db.selectFrom('courseware').select('file_id').where('id', '=', id).executeTakeFirstOrThrow()).file_id;
      expect((await readFile('assist', await fileOf(ids.schoolWare))).status).toBe(200);
      expect((await readFile('teacher', await fileOf(ids.otherSchoolWare))).status).toBe(404);
    });
  });

  describe('courseware of a lesson', () => {
    const attach = (person: Name, body: object) =>
      school()
        .as(person)
        .post('courseWare', { times_id: ids.lesson, times_type: 3, ...body });
    const ware = (more: object = {}) => ({ ware_name: '课堂课件', ware_type: 1, ware_url: 'x', is_sync: 2, ...more });
    const uploadWare = async (person: Name, name = '新课.pdf') =>
      (
        await school()
          .as(person)
          .post('courseWare/file', form({ ware_type: '1' }, new File([pdf()], name)))
      ).body.data;

    it('is added from the library, each once', async () => {
      await toLibrary('teacher', { ware_name: '课上用' });
      const own = await idOf('teacher', '课上用');
      const before = (await lessonWares('teacher')).length;
      expect((await attach('teacher', { ware_id: `${own},${ids.schoolWare}` })).body.msg).toBe('添加成功');
      expect((await attach('teacher', { ware_id: `${ids.schoolWare},${own},${own}` })).status).toBe(200);
      const wares = (await lessonWares('teacher')).slice(before);
      expect(wares.map((one: { ware_id: number }) => one.ware_id)).toEqual([own, ids.schoolWare]);
      expect(wares[0]).toMatchObject({ times_id: ids.lesson, is_owner: 1, nickname: '姓名teacher', is_sync: 2 });
      // The class's assistant sees the lesson's files without access to the library.
      expect((await lessonWares('assist')).length).toBe(before + 2);
      expect((await school().as('assist').get(`courseWare/preview/info?fid=${wares[0].fid}`)).status).toBe(200);
      expect((await school().as('otherAssist').get(`courseWare/preview/info?fid=${wares[0].fid}`)).status).toBe(404);
      await school().as('teacher').delete(`courseWare/library/${own}`);
      const kept = (await lessonWares('assist'))[before];
      expect(kept).toMatchObject({ ware_name: '课上用', ware_id: 0 });
      expect((await school().as('assist').get(`courseWare/preview/info?fid=${kept.fid}`)).status).toBe(200);
    });

    it("refuses an empty list, other people's files and lessons", async () => {
      expect((await attach('teacher', {})).body).toMatchObject({
        code: 422,
        msg: '请选择课件',
        errors: { ware_id: ['请选择课件'] },
      });
      expect((await attach('teacher', { ware_id: ' , ', ware_info: [] })).body.msg).toBe('请选择课件');
      expect((await attach('teacher', { times_id: undefined, ware_id: '1' })).body.errors.times_id).toEqual([
        '请选择课次',
      ]);
      await toLibrary('otherTeacher', { ware_name: '别人的' });
      for (const id of [await idOf('otherTeacher', '别人的'), ids.otherSchoolWare, 999_999, 'x', '1e3']) {
        expect((await attach('teacher', { ware_id: `${ids.schoolWare},${id}` })).status, String(id)).toBe(404);
      }
      expect((await attach('teacher', { times_id: ids.theirLesson, ware_id: ids.schoolWare })).status).toBe(404);
      expect((await attach('otherAssist', { ware_id: ids.schoolWare })).status).toBe(404);
      expect((await school().as('otherTeacher').get(`courseWare/lesson?times_id=${ids.lesson}`)).status).toBe(404);
      expect((await upload('teacher', { times_id: String(ids.theirLesson) })).status).toBe(404);
      expect((await upload('teacher', { times_id: 'x' })).status).toBe(404);
    });

    it('is uploaded; synchronised uploads also appear in the library', async () => {
      const [one, two] = [await uploadWare('assist'), await uploadWare('assist')];
      const sent = [
        ware({ ware_url: one.ware_url, ware_name: '只在课次' }),
        { ware_name: '也在课件库', ware_url: two.ware_url, is_sync: 1 },
      ];
      expect((await attach('assist', { ware_info: sent })).body.code).toBe(200);
      const names = (await lessonWares('teacher')).map((row: { ware_name: string }) => row.ware_name);
      expect(names).toEqual(expect.arrayContaining(['只在课次', '也在课件库']));
      const library = (await school().as('assist').get('courseWare?is_own=1')).body.data.list;
      expect(library.map((row: { ware_name: string }) => row.ware_name)).toEqual(['也在课件库']);
      expect(library[0]).toMatchObject({ ware_type: 1, classify_id: 0, classify_name: '' });
      const viaText = await attach('assist', { ware_info: JSON.stringify([ware({ ware_url: one.ware_url })]) });
      expect(viaText.status).toBe(200);
      const whole = { times_id: String(ids.lesson), ware_name: '一步上传', is_sync: '1' };
      expect((await upload('assist', whole)).status).toBe(200);
      expect(await idOf('assist', '一步上传')).toBeTruthy();
    });

    it('accepts a file uploaded through public/file', async () => {
      const sent = new FormData();
      sent.set('file', new File([pdf()], '公共.pdf'));
      const { path } = (await school().as('teacher').post('public/file', sent)).body.data;
      expect((await attach('teacher', { ware_info: [ware({ ware_url: path, ware_name: '公共上传' })] })).status).toBe(
        200,
      );
      const row = (await lessonWares('teacher')).find((one: { ware_name: string }) => one.ware_name === '公共上传');
      const preview = await school().as('assist').get(`courseWare/preview/info?fid=${row.fid}`);
      expect([preview.status, preview.body.data.ware_filename]).toEqual([200, '公共上传.pdf']);
      expect((await attach('teacher', { ware_info: [ware({ ware_url: path, ware_type: 3 })] })).body.errors).toEqual({
        'ware_info.0.ware_url': ['文件格式与课件类型不符，请重新选择文件'],
      });
    });

    it('reports every error by field, and adds all or nothing', async () => {
      const { ware_url } = await uploadWare('teacher');
      const stranger = (await uploadWare('otherTeacher')).ware_url;
      const before = (await lessonWares('teacher')).length;
      const { body } = await attach('teacher', {
        ware_info: [
          ware({ ware_url }),
          {},
          ware({ ware_type: 7, is_sync: 3, ware_url }),
          ware({ ware_name: '字'.repeat(256) }),
          ware({ ware_url: '/files/../../school.db' }),
          ware({ ware_url: stranger }),
        ],
      });
      expect([body.code, body.errors]).toEqual([
        422,
        {
          'ware_info.1.ware_name': ['请输入'],
          'ware_info.1.ware_url': ['请选择'],
          'ware_info.2.ware_type': ['请选择'],
          'ware_info.2.is_sync': ['请选择'],
          'ware_info.3.ware_name': ['课件名称不能超过255个字'],
          'ware_info.3.ware_url': ['请选择'],
          'ware_info.4.ware_url': ['请选择'],
          'ware_info.5.ware_url': ['请选择'],
        },
      ]);
      expect((await lessonWares('teacher')).length).toBe(before);
    });

    it('is removed only by the person who added it', async () => {
      const { ware_url } = await uploadWare('teacher');
      await attach('teacher', { ware_info: [ware({ ware_url, ware_name: '要移除' })] });
      const { id } = (await lessonWares('teacher')).find((one: { ware_name: string }) => one.ware_name === '要移除');
      const remove = (person: Name) => school().as(person).delete(`courseWare/${id}`);
      expect((await remove('otherTeacher')).status).toBe(404);
      expect((await remove('assist')).body).toMatchObject({ code: 403, msg: '只能移除自己添加的课件' });
      expect((await remove('teacher')).body).toMatchObject({ code: 200, msg: '移除成功' });
      expect((await remove('teacher')).status).toBe(404);
    });
  });
});
