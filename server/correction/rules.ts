/** Correction: limits of a review and of what is done in one go. */

/** Characters of a comment. */
export const commentLimit = 300;

/** Attachments of one review, and images of one answer. */
export const imageLimit = 9;

/** Characters of the saved mark-up of one image. */
export const drawLimit = 500_000;

/** The tabs of the correction screen. */
export const subjective = 1;

export const objective = 2;

/** Reports that storeReviews ends in one go: one transaction, which others wait for. */
export const finishedAtOnce = 500;

/** Answers that are graded in one go: one transaction, which others wait for. */
export const togetherMost = 500;

export const commentTooLong = `评语最多${commentLimit}个字`;
export const tooManyAttachments = `附件最多${imageLimit}个`;
