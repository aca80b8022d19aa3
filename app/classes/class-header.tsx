/** Header of a class: name, picture, staff, counts, start and end. */
import type { ClassDetail } from '#server/classes/contract.ts';
import { Fact } from '../ui/facts.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { RecordHeader } from '../ui/record-header.tsx';
import { ValidTime } from './valid-time.tsx';

export function ClassHeader({ theClass, now }: { theClass: ClassDetail; now: number }) {
  const names = (staff: { real_name: string }[]) => staff.map(({ real_name }) => real_name).join('、') || '-';
  return (
    <RecordHeader
      title={theClass.class_name}
      cover={{ image: theClass.cover_image, name: theClass.class_name }}
      facts={
        <>
          <Fact term="班主任">{names(theClass.head_teachers)}</Fact>
          <Fact term="授课老师">{names(theClass.teachers)}</Fact>
          <Fact term="学员数">{theClass.students_count}</Fact>
          <Fact term="课程数">{theClass.courses_count}</Fact>
          <Fact term="创建时间">
            <NearMoment at={theClass.created_at} />
          </Fact>
          <Fact term="有效期">
            <ValidTime theClass={theClass} now={now} />
          </Fact>
        </>
      }
    />
  );
}
