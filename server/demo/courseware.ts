/** The courseware library of the demo school: the school's wares, everybody's own uploads, and what lessons have. */
import { readFile } from 'node:fs/promises';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { RowWriter } from './row-writer.ts';

const day = 24 * 60 * 60;

const categories = ['同步课程', '专题讲解', '习题讲评', '实验演示', '听力材料', '复习资料'] as const;
type Category = (typeof categories)[number];

interface DemoWare {
  name: string;
  /** The ending of its file: one of each kind stands in wares/. */
  kind: 'pdf' | 'docx' | 'pptx' | 'png' | 'jpg' | 'zip' | 'mp3' | 'wav';
  category: Category;
  type: 1 | 2 | 3;
  /** Who uploaded it; the school itself without. */
  owner?: 'teacher' | 'teacher2' | 'assist' | 'assist2';
  /** The other campus' library. */
  elsewhere?: boolean;
  description?: string;
}

const wares: DemoWare[] = [
  { name: '集合的概念与表示', kind: 'pptx', category: '同步课程', type: 1, description: '含课堂练习与板书提纲。' },
  { name: '函数的单调性与最值', kind: 'pptx', category: '同步课程', type: 1 },
  {
    name: '二次函数图像专题',
    kind: 'pdf',
    category: '专题讲解',
    type: 1,
    description: '一页图，投影后讲对称轴与开口。',
  },
  { name: '指数函数与对数函数知识清单', kind: 'docx', category: '复习资料', type: 1 },
  { name: '三角函数诱导公式口诀', kind: 'png', category: '专题讲解', type: 1 },
  { name: '函数图像变换动画', kind: 'zip', category: '专题讲解', type: 2, description: '解压后打开 index.html。' },
  { name: '牛顿第二定律', kind: 'pptx', category: '同步课程', type: 1 },
  { name: '平抛运动演示', kind: 'pptx', category: '实验演示', type: 2 },
  { name: '打点计时器实验步骤', kind: 'jpg', category: '实验演示', type: 1 },
  { name: '受力分析二十题', kind: 'docx', category: '习题讲评', type: 1 },
  { name: '英语听力第一单元', kind: 'mp3', category: '听力材料', type: 3 },
  { name: '英语听力第二单元', kind: 'mp3', category: '听力材料', type: 3 },
  { name: '英语朗读示范', kind: 'wav', category: '听力材料', type: 3 },
  { name: '赤壁赋赏析', kind: 'pdf', category: '同步课程', type: 1 },
  {
    name: '文言文常用实词一百二十例（附例句、译文与历年考题出处，供课前预习与考前复习使用）',
    kind: 'docx',
    category: '复习资料',
    type: 1,
  },
  { name: '期中考试讲评', kind: 'pdf', category: '习题讲评', type: 1 },
  {
    name: '我的导数入门讲义',
    kind: 'docx',
    category: '同步课程',
    type: 1,
    owner: 'teacher',
    description: '自编，第三版。',
  },
  { name: '数列求和六法', kind: 'pdf', category: '专题讲解', type: 1, owner: 'teacher' },
  { name: '课堂板书 11 月', kind: 'jpg', category: '习题讲评', type: 1, owner: 'teacher' },
  { name: '单位圆动画', kind: 'zip', category: '专题讲解', type: 2, owner: 'teacher' },
  { name: '答疑录音：函数与方程', kind: 'wav', category: '习题讲评', type: 3, owner: 'assist' },
  { name: '错题整理模板', kind: 'docx', category: '复习资料', type: 1, owner: 'assist' },
  { name: '班级复习计划图', kind: 'png', category: '复习资料', type: 1, owner: 'assist' },
  { name: '完形填空专练', kind: 'docx', category: '习题讲评', type: 1, owner: 'teacher2' },
  { name: '值班答疑安排', kind: 'pdf', category: '复习资料', type: 1, owner: 'assist2' },
  { name: '中考物理实验汇总', kind: 'pdf', category: '实验演示', type: 1, elsewhere: true },
];

interface StoredWare extends DemoWare {
  key: string;
  size: number;
}

/** Keeps a file for each ware. Outside the transaction that fills the school: a storage knows none. */
export function storeDemoFiles(storage: Storage): Promise<StoredWare[]> {
  return Promise.all(
    wares.map(async (ware) => {
      const bytes = await readFile(new URL(`./wares/ware.${ware.kind}`, import.meta.url));
      const stored = await storage.put(
        (async function* () {
          yield bytes;
        })(),
        { extension: ware.kind, limit: bytes.byteLength },
      );
      if (!('ok' in stored)) throw new Error(`A demo file was refused: ${stored.message}`);
      return { ...ware, ...stored.ok };
    }),
  );
}

/** Of handouts, in turn: approved, none, pending, rejected. */
const handoutStates = [1, undefined, 3, 4] as const;

/** The rows of the files, of the library, and of the wares and handouts of the lessons around today. */
export async function addCourseware(
  db: Database,
  writer: RowWriter,
  { stored, now }: { stored: StoredWare[]; now: number },
): Promise<void> {
  const staff = await db
    .selectFrom('staff')
    .select(['id', 'username', 'school_id'])
    .where('username', 'in', ['teacher', 'teacher2', 'teacher3', 'assist', 'assist2'])
    .execute();
  const named = (username: string) => {
    const found = staff.find((one) => one.username === username);
    if (!found) throw new Error(`The demo school has no ${username}`);
    return found;
  };
  const ids = categories.map((name, index) => writer.add('ware_classify', { name, sort: index + 1 }));
  const library = stored.map((ware, index) => {
    const owner = ware.owner ? named(ware.owner) : undefined;
    const at = now - Math.round((stored.length - index) * 1.7 * day);
    const file_id = writer.add('ware_file', {
      storage_key: ware.key,
      name: `${ware.name}.${ware.kind}`,
      extension: ware.kind,
      size: ware.size,
      uploaded_by: owner?.id ?? null,
      uploaded_at: at,
    });
    const id = writer.add('courseware', {
      school_id: named(ware.elsewhere ? 'teacher3' : 'teacher').school_id,
      owner_id: owner?.id ?? null,
      file_id,
      classify_id: ids[categories.indexOf(ware.category)] ?? null,
      ware_name: ware.name,
      ware_desc: ware.description ?? '',
      ware_type: ware.type,
      created_at: at,
      updated_at: at,
    });
    return { ...ware, id, file_id };
  });
  const lessons = await db
    .selectFrom('class_session')
    .innerJoin('class_staff', 'class_staff.class_id', 'class_session.class_id')
    .select(['class_session.id', 'class_session.lecturer_id', 'class_staff.staff_id'])
    .where('class_session.cancelled_at', 'is', null)
    .where('class_session.start_time', '>', now - 8 * day)
    .where('class_session.start_time', '<', now + 8 * day)
    .where('class_staff.duty', '=', 'assistant')
    .orderBy('class_session.id')
    .execute();
  for (const [index, lesson] of lessons.entries()) {
    // The lecturer gives the lesson two of the school's wares, its assistant one of their own.
    const given = [library[index % 10], library[(index + 3) % 10]].map((ware) => ({ ware, by: lesson.lecturer_id }));
    const own = library.find(({ owner }) => owner && named(owner).id === lesson.staff_id);
    for (const { ware, by } of [...given, { ware: own, by: lesson.staff_id }]) {
      if (!ware) continue;
      writer.add('lesson_ware', {
        session_id: lesson.id,
        file_id: ware.file_id,
        courseware_id: ware.id,
        ware_name: ware.name,
        ware_type: ware.type,
        is_sync: 2,
        added_by: by,
        created_at: now - day,
      });
    }
    const handout = library.filter(({ kind }) => kind === 'pdf' || kind === 'docx')[index % 5];
    const status = handoutStates[index % handoutStates.length];
    if (!handout || !status) continue;
    writer.addPlain('session_handout', {
      session_id: lesson.id,
      file_id: handout.file_id,
      file_name: `${handout.name}.${handout.kind}`,
      status,
      file_remark: status === 4 ? '第 3 页的例题与教材不一致，请修改后重新上传。' : '',
      uploaded_by: lesson.lecturer_id,
      uploaded_at: now - day,
    });
  }
}
