/** Names of the kinds of questions that QTI has and the product has not. */

const names: Readonly<Record<string, string>> = {
  // Interactions of QTI 2 and 3
  matchInteraction: '匹配题',
  associateInteraction: '连线题',
  orderInteraction: '排序题',
  gapMatchInteraction: '拖放填空题',
  graphicGapMatchInteraction: '图形填空题',
  graphicAssociateInteraction: '图形连线题',
  graphicOrderInteraction: '图形排序题',
  hotspotInteraction: '热点题',
  selectPointInteraction: '选点题',
  positionObjectInteraction: '图形摆放题',
  positionObjectStage: '图形摆放题',
  sliderInteraction: '滑块题',
  drawingInteraction: '绘图题',
  uploadInteraction: '文件上传题',
  mediaInteraction: '音视频题',
  customInteraction: '自定义互动题',
  portableCustomInteraction: '自定义互动题',
  templateDeclaration: '随机变量题',
  // Canvas
  matching_question: '匹配题',
  ordering_question: '排序题',
  categorization_question: '分类题',
  hot_spot_question: '热点题',
  calculated_question: '公式计算题',
  file_upload_question: '文件上传题',
  // Blackboard
  Matching: '匹配题',
  Ordering: '排序题',
  Calculated: '公式计算题',
  'File Upload': '文件上传题',
  'Jumbled Sentence': '选词成句题',
  'Hot Spot': '热点题',
  'Opinion Scale': '量表题',
  'Opinion Scale/Likert': '量表题',
  'Quiz Bowl': '抢答题',
  // Brightspace
  Arithmetic: '公式计算题',
  'Significant Figures': '公式计算题',
  // QTI 1.2
  response_xy: '热点题',
  render_hotspot: '热点题',
  render_slider: '滑块题',
  response_grp: '匹配题',
  ordered: '排序题',
  response_extension: '自定义互动题',
};

/** Says why an item is not imported. `kind`: as the file names it. */
export const unsupportedMessage = (kind: string): string =>
  names[kind] ? `题型“${names[kind]}”（${kind}）无法导入` : `题型“${kind}”无法导入`;
