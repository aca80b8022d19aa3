/** Base data of the small and the large demo school: schools, grades, classifications, subjects, rooms, settings. */
import type { DemoSubject } from './bank.ts';
import type { RowWriter } from './row-writer.ts';

export interface SchoolFrame {
  schools: [number, number];
  /** Ids of the rooms of the first school and of the other campus. */
  rooms: [number[], number[]];
  grades: Record<string, number>;
  classifies: Record<string, number>;
  subjects: Record<DemoSubject, number>;
}

export function addBaseData(writer: RowWriter): SchoolFrame {
  writer.addPlain('setting', { name: 'demo', value: '1' });
  writer.addPlain('setting', { name: 'learn_page', value: '1' });
  const schools: [number, number] = [
    writer.add('school', { org_name: '明德学校（静安校区）' }),
    writer.add('school', { org_name: '明德学校（浦东校区）' }),
  ];
  const [rooms = [], roomsElsewhere = []] = schools.map((school_id) =>
    ['101教室', '102教室', '203多媒体教室', '直播间A', '直播间B'].map((name) =>
      writer.add('room', { school_id, name }),
    ),
  );
  const named = <Name extends string>(table: 'grade' | 'subject', names: readonly Name[]) =>
    Object.fromEntries(names.map((name, index) => [name, writer.add(table, { name, sort: index + 1 })])) as Record<
      Name,
      number
    >;
  const grades = named('grade', ['七年级', '八年级', '九年级', '高一', '高二', '高三']);
  const subjects = named('subject', ['语文', '数学', '英语', '物理']);
  const classifies: Record<string, number> = {};
  let sort = 0;
  for (const [parent, children] of Object.entries({
    同步课程: ['基础班', '提高班', '竞赛班'],
    升学冲刺: ['中考冲刺', '高考冲刺'],
    兴趣拓展: [] as string[],
  })) {
    const parent_id = writer.add('classify', { parent_id: null, name: parent, sort: ++sort });
    classifies[parent] = parent_id;
    for (const name of children) classifies[name] = writer.add('classify', { parent_id, name, sort: ++sort });
  }
  return { schools, rooms: [rooms, roomsElsewhere], grades, classifies, subjects };
}
