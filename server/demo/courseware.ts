/** Courseware of the demo school: the library, uploads of staff, and material of lessons. */
import { readFile } from 'node:fs/promises';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { readData } from './data.ts';
import type { RowWriter } from './row-writer.ts';

const day = 24 * 60 * 60;

const categories = ['同步课程', '专题讲解', '习题讲评', '实验演示', '听力材料', '复习资料'] as const;
type Category = (typeof categories)[number];

interface DemoMaterial {
  name: string;
  /** Subject of the courseware; omitted if it fits any lesson. */
  subject?: string;
  /** File extension; the folder with the demo files has one file of each kind. */
  kind: 'pdf' | 'docx' | 'pptx' | 'png' | 'jpg' | 'zip' | 'mp3' | 'wav';
  category: Category;
  type: 1 | 2 | 3;
  /** Person who uploaded the file; omitted: it belongs to the school. */
  owner?: 'teacher' | 'teacher2' | 'assist' | 'assist2';
  /** True if it is in the library of the other campus. */
  elsewhere?: boolean;
  description?: string;
}

const materials: DemoMaterial[] = readData('wares/wares.json');

interface StoredMaterial extends DemoMaterial {
  key: string;
  size: number;
}

interface LibraryMaterial extends StoredMaterial {
  /** Ids of the courseware and of its file. */
  id: number;
  file_id: number;
}

/** Stores a file for each item. Called outside the database transaction, because file storage cannot roll back. */
export function storeDemoFiles(storage: Storage): Promise<StoredMaterial[]> {
  return Promise.all(
    materials.map(async (material) => {
      const bytes = await readFile(new URL(`./wares/ware.${material.kind}`, import.meta.url));
      const stored = await storage.put(
        (async function* () {
          yield bytes;
        })(),
        { extension: material.kind, limit: bytes.byteLength },
      );
      if (!('ok' in stored)) throw new Error(`A demo file was refused: ${stored.message}`);
      return { ...material, ...stored.ok };
    }),
  );
}

/** People who have items in the JSON file, and the newcomer; they get no further uploads. */
const owners = new Set(['newcomer', ...materials.flatMap(({ owner }) => owner ?? [])]);

/** States of handouts in turn: approved, no handout, pending, rejected. */
const handoutStates = [1, undefined, 3, 4] as const;

/**
 * Adds files, the library, and material and handouts of lessons up to `lessonDays` days from today. `uploads`: number
 * of items for each further member of staff.
 */
export async function addCourseware(
  db: Database,
  writer: RowWriter,
  { stored, uploads, lessonDays, now }: { stored: StoredMaterial[]; uploads: number; lessonDays: number; now: number },
): Promise<void> {
  const staff = await db.selectFrom('staff').select(['id', 'username', 'school_id']).orderBy('id').execute();
  const named = (username: string) => {
    const found = staff.find((one) => one.username === username);
    if (!found) throw new Error(`The demo school has no ${username}`);
    return found;
  };
  const ids = categories.map((name, index) => writer.add('ware_classify', { name, sort: index + 1 }));
  const library = stored.map((material, index) => {
    const owner = material.owner ? named(material.owner) : undefined;
    const at = now - Math.round((stored.length - index) * 1.7 * day);
    const file_id = writer.add('ware_file', {
      storage_key: material.key,
      name: `${material.name}.${material.kind}`,
      extension: material.kind,
      size: material.size,
      uploaded_by: owner?.id ?? null,
      uploaded_at: at,
      // With many uploads, several owners share the same stored file.
      is_exclusive: uploads === 0 ? 1 : 0,
    });
    const id = writer.add('courseware', {
      school_id: named(material.elsewhere ? 'teacher3' : 'teacher').school_id,
      owner_id: owner?.id ?? null,
      file_id,
      classify_id: ids[categories.indexOf(material.category)] ?? null,
      ware_name: material.name,
      ware_desc: material.description ?? '',
      ware_type: material.type,
      created_at: at,
      updated_at: at,
    });
    return { ...material, id, file_id };
  });
  const others = staff.filter(({ username }) => !owners.has(username));
  const uploaded = addUploads(writer, { stored, staff: others, each: uploads, categoryIds: ids, now });
  const lessons = await db
    .selectFrom('class_session')
    .innerJoin('class_staff', 'class_staff.class_id', 'class_session.class_id')
    .leftJoin('team_class', 'team_class.class_id', 'class_session.class_id')
    .leftJoin('subject', 'subject.id', 'team_class.subject_id')
    .select(['class_session.id', 'class_session.lecturer_id', 'class_staff.staff_id', 'subject.name as subject'])
    .where('class_session.cancelled_at', 'is', null)
    .where('class_session.start_time', '>', now - lessonDays * day)
    .where('class_session.start_time', '<', now + lessonDays * day)
    .where('class_staff.duty', '=', 'assistant')
    .orderBy('class_session.id')
    .execute();
  for (const [index, lesson] of lessons.entries()) {
    // Each lesson gets two items of its lecturer or the school, and one of its assistant.
    const isTheirs = ({ owner, elsewhere }: LibraryMaterial) =>
      !elsewhere && (owner === undefined || named(owner).id === lesson.lecturer_id);
    const materials = (uploaded.get(lesson.lecturer_id) ?? library.filter(isTheirs)).filter(
      ({ subject }) => subject === undefined || subject === lesson.subject,
    );
    const lessonItems = [0, 3].map((further) => ({
      ware: materials[(index + further) % materials.length],
      by: lesson.lecturer_id,
    }));
    const own =
      uploaded.get(lesson.staff_id)?.[index % 10] ??
      library.find(({ owner }) => owner && named(owner).id === lesson.staff_id);
    const used = new Set<number>();
    for (const { ware: material, by } of [...lessonItems, { ware: own, by: lesson.staff_id }]) {
      // Staff with few items would use one twice in the same lesson.
      if (!material || used.has(material.id)) continue;
      used.add(material.id);
      writer.add('lesson_ware', {
        session_id: lesson.id,
        file_id: material.file_id,
        courseware_id: material.id,
        ware_name: material.name,
        ware_type: material.type,
        is_sync: 2,
        added_by: by,
        created_at: now - day,
      });
    }
    const papers = materials.filter(({ kind }) => kind === 'pdf' || kind === 'docx');
    const handout = papers[index % Math.min(5, papers.length)];
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

/** Adds uploads that show the same files under other names; every tenth goes into the school's library. */
function addUploads(
  writer: RowWriter,
  {
    stored,
    staff,
    each,
    categoryIds,
    now,
  }: {
    stored: StoredMaterial[];
    staff: { id: number; school_id: number }[];
    each: number;
    categoryIds: number[];
    now: number;
  },
): Map<number, LibraryMaterial[]> {
  const uploaded = new Map<number, LibraryMaterial[]>();
  if (each === 0) return uploaded;
  for (const [index, { id, school_id }] of staff.entries()) {
    const materials: LibraryMaterial[] = [];
    for (let number = 0; number < each; number += 1) {
      const place = index * each + number;
      const material = stored[place % stored.length] as StoredMaterial;
      const ware_name = `${material.name}（第${Math.floor(place / stored.length) + 2}版）`;
      const owner_id = number % 10 === 9 ? null : id;
      const at = now - Math.round(((place * 37) % 300) * day);
      const file_id = writer.add('ware_file', {
        storage_key: material.key,
        name: `${ware_name}.${material.kind}`,
        extension: material.kind,
        size: material.size,
        uploaded_by: owner_id,
        uploaded_at: at,
        is_exclusive: 0,
      });
      const courseware = writer.add('courseware', {
        school_id,
        owner_id,
        file_id,
        classify_id: categoryIds[place % categoryIds.length] ?? null,
        ware_name,
        ware_desc: material.description ?? '',
        ware_type: material.type,
        created_at: at,
        updated_at: at,
      });
      materials.push({ ...material, name: ware_name, id: courseware, file_id });
    }
    uploaded.set(id, materials);
  }
  return uploaded;
}
