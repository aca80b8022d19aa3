/** The header of a class: name, picture, staff, counts, since when and until when. */
import type { ClassDetail } from '#server/classes/contract.ts';
import { Fact } from '../ui/facts.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { RecordHeader } from '../ui/record-header.tsx';
import { ValidTime } from './valid-time.tsx';

export function ClassHeader({ klass, now }: { klass: ClassDetail; now: number }) {
  const names = (staff: { real_name: string }[]) => staff.map(({ real_name }) => real_name).join('、') || '-';
  return (
    <RecordHeader
      title={klass.class_name}
      cover={{ image: klass.cover_image, name: klass.class_name }}
      facts={
        <>
          <Fact term="班主任">{names(klass.head_teachers)}</Fact>
          <Fact term="授课老师">{names(klass.teachers)}</Fact>
          <Fact term="学员数">{klass.students_count}</Fact>
          <Fact term="课程数">{klass.courses_count}</Fact>
          <Fact term="创建时间">
            <NearMoment at={klass.created_at} />
          </Fact>
          <Fact term="有效期">
            <ValidTime klass={klass} now={now} />
          </Fact>
        </>
      }
    />
  );
}
