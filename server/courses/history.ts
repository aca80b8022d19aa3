import { type RecordHistory, type RecordTitle, titlesFromColumn } from '#server/school/history-record.ts';

const titleWithCourse = ({ course_id, ...titled }: RecordTitle & { course_id: number }): RecordTitle => ({
  ...titled,
  leads: { record: 'course', id: course_id },
});

export const coursesHistory = {
  course: {
    actions: ['add', 'edit', 'put-away', 'restore', 'delete', 'copy', 'sort-periods'],
    fields: {
      title: '名称',
      parent_id: ['上级课程', 'course'],
      course_type: ['类型', 'hidden'],
      school_id: ['学校', 'school'],
      classify_id: ['分类', 'classify'],
      grade_id: ['年级', 'grade'],
      subject_id: ['科目', 'subject'],
      course_extend: ['扩展课程', 'flag'],
      introduction: '简介',
      cover_img: ['封面', 'picture'],
      put_away_at: ['归档时间', 'moment'],
      effect: '影响',
      copied_from: ['复制自', 'course'],
      periods: ['课时顺序', 'hidden'],
    },
    titled: titlesFromColumn('course', 'title', 'school_id'),
  },
  course_chapter: {
    actions: ['add', 'edit', 'place', 'delete'],
    fields: { course_id: ['课程', 'course'], title: '名称', place: '位置', sort: '位置' },
    titled: async (db, ids) =>
      (
        await db
          .selectFrom('course_chapter')
          .innerJoin('course', 'course.id', 'course_chapter.course_id')
          .select(['course_chapter.id', 'course_chapter.title', 'course_chapter.course_id', 'course.school_id'])
          .where('course_chapter.id', 'in', ids)
          .execute()
      ).map(titleWithCourse),
  },
  period: {
    actions: ['add', 'edit', 'place', 'move', 'delete'],
    fields: {
      course_id: ['课程', 'course'],
      chapter_id: ['章节', 'course_chapter'],
      title: '名称',
      periods_type: ['类型', 'hidden'],
      lecturer_id: ['讲师', 'staff'],
      start_play: ['开始时间', 'moment'],
      minutes: '时长（分钟）',
      advance_time: '提前进入（分钟）',
      allow_enter: ['暂不开放进入', 'flag'],
      is_playback: ['有回放', 'flag'],
      periods_extend: ['扩展课时', 'flag'],
      place: '位置',
      sort: '位置',
    },
    titled: async (db, ids) =>
      (
        await db
          .selectFrom('period')
          .innerJoin('course', 'course.id', 'period.course_id')
          .select(['period.id', 'period.title', 'period.course_id', 'course.school_id'])
          .where('period.id', 'in', ids)
          .execute()
      ).map(titleWithCourse),
  },
} as const satisfies Record<string, RecordHistory>;
