import { Button, Checkbox } from '@mantine/core';
import type { ClassRecord } from '#server/classes/admin.contract.ts';
import type { ClassGroups, placeStudents } from '#server/classes/groups.contract.ts';
import { Empty } from '../../ui/empty.tsx';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import type { RefusedForm } from '../../ui/form-state.ts';
import { recordFormClass } from '../../ui/record-form.ts';
import { Toolbar } from '../../ui/toolbar.tsx';
import { adminClass, classGroupAdd, classGroupEdit, classGroupRemove } from '../screens.ts';

const { Form, GroupField, SelectField } = formOf<typeof placeStudents, `group-${number}` | `ungrouped-${number}`>();

interface GroupsTabProps {
  theClass: ClassRecord;
  groups: ClassGroups;
  idempotencyKey: string;
  refused: RefusedForm | undefined;
}

/** Tab with one form per course that has groups. The form moves students between the groups. */
export function GroupsTab({ theClass, groups: { groups, ungrouped }, idempotencyKey, refused }: GroupsTabProps) {
  const here = adminClass.href({ id: theClass.id, tab: 'groups' });
  const posted = refused?.typed?.find(([name]) => name === 'course_id')?.[1];
  return (
    <>
      <Toolbar start="每门课程各自分组，一名学员在一门课程中只在一个分组。">
        <Button component="a" href={classGroupAdd.href(here)} variant="default">
          添加分组
        </Button>
      </Toolbar>
      {ungrouped.length === 0 && <Empty>该班级还没有分组</Empty>}
      {ungrouped.map(({ course_id, course_title, students }) => {
        const ofCourse = groups.filter((group) => group.course_id === course_id);
        return (
          <section key={course_id} aria-label={course_title}>
            <Form
              idempotencyKey={`${idempotencyKey}-${course_id}`}
              refused={posted === String(course_id) ? refused : undefined}
              className={recordFormClass}
            >
              <h2>{course_title}</h2>
              <input type="hidden" name="course_id" value={course_id} />
              {ofCourse.map((group) => (
                <GroupField
                  key={group.id}
                  name={`group-${group.id}`}
                  label={`${group.group_name}（${group.students_count}人）`}
                  description={
                    <>
                      助教：{group.staff.map(({ name }) => name).join('、') || '无'}{' '}
                      <Button component="a" href={classGroupEdit.href(here, { group: group.id })} variant="default">
                        编辑{group.group_name}
                      </Button>{' '}
                      {group.students_count === 0 && (
                        <Button component="a" href={classGroupRemove.href(here, { group: group.id })} variant="default">
                          删除{group.group_name}
                        </Button>
                      )}
                    </>
                  }
                  inline
                >
                  <Students students={group.students} />
                </GroupField>
              ))}
              <GroupField name={`ungrouped-${course_id}`} label={`未分组（${students.length}人）`} inline>
                <Students students={students} />
              </GroupField>
              <SelectField
                name="group_id"
                id={`group_id-${course_id}`}
                label="所选学员移到"
                placeholder="不在任何分组"
                choices={ofCourse.map(({ id, group_name }) => [id, group_name] as const)}
              />
              <Submit intent="place">移动</Submit>
            </Form>
          </section>
        );
      })}
    </>
  );
}

const Students = ({ students }: { students: readonly { id: number; name: string }[] }) =>
  students.length === 0
    ? '无'
    : students.map(({ id, name }) => <Checkbox key={id} name="student_ids" value={id} label={name} />);
