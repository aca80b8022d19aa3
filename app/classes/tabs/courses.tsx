/** Tab 课程列表: the courses of a class as cards. */
import { Button } from '@mantine/core';
import type { ClassCourseRow } from '#server/classes/contract.ts';
import { attendanceCourseTypes, courseTypeName } from '#server/classes/rules.ts';
import { courseAttendance } from '../../attendance/screens.ts';
import { formatTime } from '../../lib/dates.ts';
import { Empty } from '../../ui/empty.tsx';
import { useTimezone } from '../../ui/use-school.ts';
import type { TabProps } from '../detail.server.ts';
import styles from './courses.posts.module.css';

export function CoursesTab({ shown: { courses }, theClass }: TabProps<'courses'>) {
  if (courses.list.length === 0) return <Empty>该班级还没有课程</Empty>;
  return (
    <ul className={styles.cards} aria-label="课程列表">
      {courses.list.map((course) => (
        <CourseCard key={course.id} course={course} classId={theClass.id} />
      ))}
    </ul>
  );
}

function CourseCard({ course, classId }: { course: ClassCourseRow; classId: number }) {
  const timezone = useTimezone();
  const day = (seconds: number) => formatTime(seconds, timezone).split(' ')[0];
  const mayViewAttendance = course.is_view_Attendance === 1 && attendanceCourseTypes.includes(course.course_type);
  return (
    <li className={styles.card}>
      <div className={styles.cover}>
        {course.cover_img ? (
          <img src={course.cover_img} alt="" />
        ) : (
          <span aria-hidden="true">{[...course.title][0]}</span>
        )}
        <span className={styles.type}>{courseTypeName(course.course_type)}</span>
      </div>
      <h2>{course.title}</h2>
      <p>共 {course.periods_count} 课时</p>
      <p>{course.periods_count > 0 ? `${day(course.start_play)} 至 ${day(course.end_play)}` : '还没有安排课时'}</p>
      <p>授课老师：{teacherNames(course)}</p>
      {mayViewAttendance && (
        <Button
          component="a"
          href={courseAttendance.href({ id: course.id, course_id: course.id, class_id: classId })}
          variant="default"
          aria-label={`查看考勤：${course.title}`}
        >
          查看考勤
        </Button>
      )}
    </li>
  );
}

/** Names of up to five lecturers, then the total number. */
function teacherNames({ teachers, teachers_count }: ClassCourseRow): string {
  const names = teachers.map(({ real_name }) => real_name).join('、');
  return teachers_count > teachers.length ? `${names}等 ${teachers_count} 位` : names || '-';
}
