-- Parts of version 1.0.0 that only SQLite has: triggers, and the full-text index of questions.

-- History and reports about questions are append-only. A history row may get its school once, and lose its content once it
-- is listed in erased_history.
create trigger history_no_update before update of id, at, staff_id, record, record_id, action, before, after on history
when not (new.before is null and new.after is null
  and new.id is old.id and new.at is old.at and new.staff_id is old.staff_id
  and new.record is old.record and new.record_id is old.record_id and new.action is old.action
  and exists (select 1 from erased_history where erased_history.history_id = old.id)) begin
  select raise(abort, 'history is append-only');
end;
create trigger history_no_delete before delete on history begin select raise(abort, 'history is append-only'); end;
create trigger history_school_once before update of school_id on history when old.school_id is not null begin
  select raise(abort, 'history is append-only');
end;
create trigger erased_history_no_update before update on erased_history begin select raise(abort, 'history is append-only'); end;
create trigger erased_history_no_delete before delete on erased_history begin select raise(abort, 'history is append-only'); end;
create trigger erased_history_empties after insert on erased_history begin
  update history set before = null, after = null where id = new.history_id;
end;
create trigger question_correction_no_update before update on question_correction begin select raise(abort, 'corrections are append-only'); end;
create trigger question_correction_no_delete before delete on question_correction begin select raise(abort, 'corrections are append-only'); end;

-- The school of a row is set by triggers, so that no statement can forget it; 0 means that the row is being inserted.
-- History of deleted records uses the school of the person who changed them.
create trigger report_school after insert on report when new.school_id = 0 begin
  update report set school_id = (select school_id from class where class.id = new.class_id) where rowid = new.rowid;
end;
create trigger answer_school after insert on answer when new.school_id = 0 begin
  update answer set school_id = (select school_id from report where report.id = new.report_id) where rowid = new.rowid;
end;
create trigger answer_draft_school after insert on answer_draft when new.school_id = 0 begin
  update answer_draft set school_id = (select school_id from report where report.id = new.report_id) where rowid = new.rowid;
end;
create trigger exam_answer_school after insert on exam_answer when new.school_id = 0 begin
  update exam_answer set school_id = (select school_id from exam_report where exam_report.id = new.report_id) where rowid = new.rowid;
end;
create trigger exam_attempt_school after insert on exam_attempt when new.school_id = 0 begin
  update exam_attempt set school_id = (select school_id from student where student.id = new.student_id) where rowid = new.rowid;
end;
create trigger attendance_school after insert on attendance when new.school_id = 0 begin
  update attendance set school_id = (select school_id from class where class.id = new.class_id) where rowid = new.rowid;
end;
create trigger study_record_school after insert on study_record when new.school_id = 0 begin
  update study_record set school_id = (select school_id from student where student.id = new.student_id) where rowid = new.rowid;
end;
create trigger session_student_school after insert on session_student when new.school_id = 0 begin
  update session_student set school_id = (select school_id from class join class_session on class_session.class_id = class.id where class_session.id = new.session_id) where rowid = new.rowid;
end;
create trigger class_meeting_attendance_school after insert on class_meeting_attendance when new.school_id = 0 begin
  update class_meeting_attendance set school_id = (select school_id from class join class_meeting on class_meeting.class_id = class.id where class_meeting.id = new.meeting_id) where rowid = new.rowid;
end;
create trigger notice_read_school after insert on notice_read when new.school_id = 0 begin
  update notice_read set school_id = (select school_id from class join class_notice on class_notice.class_id = class.id where class_notice.id = new.notice_id) where rowid = new.rowid;
end;
create trigger history_school after insert on history when new.school_id is null begin
  update history set school_id = (
  select coalesce(case new.record
    when 'school' then (select id from school where id = new.record_id)
    when 'staff' then (select school_id from staff where id = new.record_id)
    when 'student' then (select school_id from student where id = new.record_id)
    when 'class' then (select school_id from class where id = new.record_id)
    when 'large_class' then (select school_id from large_class where id = new.record_id)
    when 'course' then (select school_id from course where id = new.record_id)
    when 'room' then (select school_id from room where id = new.record_id)
    when 'exam' then (select school_id from exam where id = new.record_id)
    when 'exam_report' then (select school_id from exam_report where id = new.record_id)
    when 'community_group' then (select school_id from community_group where id = new.record_id)
    when 'courseware' then (select school_id from courseware where id = new.record_id)
    when 'report' then (select school_id from report where id = new.record_id)
    when 'answer' then (select school_id from answer where id = new.record_id)
    when 'exam_answer' then (select school_id from exam_answer where id = new.record_id)
    when 'attendance' then (select school_id from attendance where id = new.record_id)
    when 'session_student' then (select school_id from session_student where id = new.record_id)
    when 'class_student' then (select school_id from class where id = (select class_id from class_student where id = new.record_id))
    when 'class_group' then (select school_id from class where id = (select class_id from class_group where id = new.record_id))
    when 'class_session' then (select school_id from class where id = (select class_id from class_session where id = new.record_id))
    when 'class_notice' then (select school_id from class where id = (select class_id from class_notice where id = new.record_id))
    when 'class_meeting' then (select school_id from class where id = (select class_id from class_meeting where id = new.record_id))
    when 'class_ware' then (select school_id from class where id = (select class_id from class_ware where id = new.record_id))
    when 'course_chapter' then (select school_id from course where id = (select course_id from course_chapter where id = new.record_id))
    when 'period' then (select school_id from course where id = (select course_id from period where id = new.record_id))
    when 'homework' then (select school_id from course where id = (select course_id from homework where id = new.record_id))
    when 'community_post' then (select school_id from community_group where id = (select group_id from community_post where id = new.record_id))
    when 'community_comment' then (select school_id from community_group where id = (select group_id from community_post where id = (select post_id from community_comment where id = new.record_id)))
    end, (select school_id from staff where id = new.staff_id))
  where new.record in ('school', 'staff', 'student', 'class', 'large_class', 'course', 'room', 'exam', 'exam_report', 'community_group', 'courseware', 'report', 'answer', 'exam_answer', 'attendance', 'session_student', 'class_student', 'class_group', 'class_session', 'class_notice', 'class_meeting', 'class_ware', 'course_chapter', 'period', 'homework', 'community_post', 'community_comment')) where id = new.id;
end;

-- Pinyin of names, for searches (name_pinyin is in server/platform/db/sqlite.ts).
create trigger student_pinyin_insert after insert on student begin
  update student set pinyin = name_pinyin(new.nickname) where id = new.id;
end;
create trigger student_pinyin_update after update of nickname on student begin
  update student set pinyin = name_pinyin(new.nickname) where id = new.id;
end;
create trigger class_pinyin_insert after insert on class begin
  update class set pinyin = name_pinyin(new.name) where id = new.id;
end;
create trigger class_pinyin_update after update of name on class begin
  update class set pinyin = name_pinyin(new.name) where id = new.id;
end;
create trigger course_pinyin_insert after insert on course begin
  update course set pinyin = name_pinyin(new.title) where id = new.id;
end;
create trigger course_pinyin_update after update of title on course begin
  update course set pinyin = name_pinyin(new.title) where id = new.id;
end;
create trigger homework_pinyin_insert after insert on homework begin
  update homework set pinyin = name_pinyin(new.name) where id = new.id;
end;
create trigger homework_pinyin_update after update of name on homework begin
  update homework set pinyin = name_pinyin(new.name) where id = new.id;
end;
create trigger exam_pinyin_insert after insert on exam begin
  update exam set pinyin = name_pinyin(new.name) where id = new.id;
end;
create trigger exam_pinyin_update after update of name on exam begin
  update exam set pinyin = name_pinyin(new.name) where id = new.id;
end;

-- Full-text index of the stems and remarks of questions: bigrams, characters and filter values; search_pairs and
-- search_characters are in server/platform/db/sqlite.ts. Public questions have tokens of their own. `place` sorts a bank by
-- the time of the last edit: seconds, then the id in the lower 30 bits.
create virtual table question_search
  using fts5 (stem, shared, remark, facts, content='', contentless_delete=1, tokenize='ascii');
create view question_search_entry as
  select
    id,
    (updated_at << 30) | id as place,
    iif(is_public = 1, null, pairs) as stem,
    iif(is_public = 1, pairs, null) as shared,
    search_pairs(remark) as remark,
    'o' || owner_id || ' ' || mark || mark || ' ' || mark || 'k' || ques_type
      || iif(ques_type = 7, '', ' ' || mark || 'n') || ' ' || mark || 'l' || facility_value
      || coalesce(' ' || mark || 'p' || point_id, '')
      || search_characters(mark || 'x', stem_text) || search_characters('y', remark) as facts
  from (
    select *, iif(is_public = 1, 's', 'm') as mark, search_pairs(stem_text) as pairs
    from question where parent_id is null
  );
create trigger question_search_insert after insert on question when new.parent_id is null begin
  insert into question_search (rowid, stem, shared, remark, facts)
    select place, stem, shared, remark, facts from question_search_entry where id = new.id;
  insert into question_bank (bank, questions, version) values (new.owner_id, 1, 1)
    on conflict (bank) do update set questions = questions + 1, version = version + 1;
  update question_bank set questions = questions + 1, version = version + 1 where bank = 0 and new.is_public = 1;
end;
create trigger question_search_update
after update of id, owner_id, is_public, ques_type, facility_value, point_id, stem_text, remark, updated_at on question
when new.parent_id is null begin
  delete from question_search where rowid = (old.updated_at << 30) | old.id;
  insert into question_search (rowid, stem, shared, remark, facts)
    select place, stem, shared, remark, facts from question_search_entry where id = new.id;
  update question_bank set questions = questions - 1, version = version + 1
    where bank = old.owner_id or (bank = 0 and old.is_public = 1);
  insert into question_bank (bank, questions, version) values (new.owner_id, 1, 1)
    on conflict (bank) do update set questions = questions + 1, version = version + 1;
  update question_bank set questions = questions + 1, version = version + 1 where bank = 0 and new.is_public = 1;
end;
create trigger question_search_delete after delete on question when old.parent_id is null begin
  delete from question_search where rowid = (old.updated_at << 30) | old.id;
  update question_bank set questions = questions - 1, version = version + 1
    where bank = old.owner_id or (bank = 0 and old.is_public = 1);
end;

-- Number of questions per knowledge point.
create trigger question_count_insert after insert on question when new.point_id is not null begin
  insert into question_count (point_id, questions) values (new.point_id, 1)
    on conflict (point_id) do update set questions = questions + 1;
end;
create trigger question_count_update after update of point_id on question when old.point_id is not new.point_id begin
  update question_count set questions = questions - 1 where point_id = old.point_id;
  insert into question_count (point_id, questions) select new.point_id, 1 where new.point_id is not null
    on conflict (point_id) do update set questions = questions + 1;
end;
create trigger question_count_delete after delete on question when old.point_id is not null begin
  update question_count set questions = questions - 1 where point_id = old.point_id;
end;

insert into question_bank (bank, questions) values (0, 0);
insert into setting (name, value) values ('installation', lower(hex(randomblob(12))));
