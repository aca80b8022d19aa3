/** Palette of the formula panel. The completion of commands reads the same list. */

/** Empty place in a formula. Tab goes to the next one, and typing replaces it. */
export const slot = '□';

export interface PaletteEntry {
  /** Text on the button. */
  face: string;
  /** Name that a screen reader reads. */
  name: string;
  latex: string;
}

interface PaletteGroup {
  name: string;
  entries: readonly PaletteEntry[];
}

const group = (name: string, ...rows: [face: string, name: string, latex: string][]): PaletteGroup => ({
  name,
  entries: rows.map(([face, label, latex]) => ({ face, name: label, latex })),
});

const matrix = (kind: string, row: string) => `\\begin{${kind}} ${row} \\\\ ${row} \\end{${kind}}`;

export const greek = group(
  '希腊字母',
  ['α', '阿尔法', '\\alpha'],
  ['β', '贝塔', '\\beta'],
  ['γ', '伽马', '\\gamma'],
  ['δ', '德尔塔', '\\delta'],
  ['ε', '艾普西龙', '\\varepsilon'],
  ['ϵ', '艾普西龙（另一写法）', '\\epsilon'],
  ['ζ', '泽塔', '\\zeta'],
  ['η', '伊塔', '\\eta'],
  ['θ', '西塔', '\\theta'],
  ['κ', '卡帕', '\\kappa'],
  ['λ', '兰布达', '\\lambda'],
  ['μ', '缪', '\\mu'],
  ['ν', '纽', '\\nu'],
  ['ξ', '克西', '\\xi'],
  ['π', '派', '\\pi'],
  ['ρ', '柔', '\\rho'],
  ['σ', '西格马', '\\sigma'],
  ['τ', '陶', '\\tau'],
  ['φ', '斐', '\\varphi'],
  ['ϕ', '斐（另一写法）', '\\phi'],
  ['χ', '希', '\\chi'],
  ['ψ', '普西', '\\psi'],
  ['ω', '欧米伽', '\\omega'],
  ['Γ', '大写伽马', '\\Gamma'],
  ['Δ', '大写德尔塔', '\\Delta'],
  ['Θ', '大写西塔', '\\Theta'],
  ['Λ', '大写兰布达', '\\Lambda'],
  ['Σ', '大写西格马', '\\Sigma'],
  ['Φ', '大写斐', '\\Phi'],
  ['Ω', '大写欧米伽', '\\Omega'],
);

export const palette: readonly PaletteGroup[] = [
  group(
    '常用',
    ['a/b', '分数', `\\frac{${slot}}{${slot}}`],
    ['√', '根号', `\\sqrt{${slot}}`],
    ['ⁿ√', 'n 次根号', `\\sqrt[${slot}]{${slot}}`],
    ['xⁿ', '上标（次方）', `^{${slot}}`],
    ['xₙ', '下标', `_{${slot}}`],
    ['xₙⁿ', '下标和上标', `_{${slot}}^{${slot}}`],
    ['a⃗', '向量', `\\vec{${slot}}`],
    ['A͞B⃗', '有向线段', `\\overrightarrow{${slot}}`],
    ['x̄', '上横线', `\\overline{${slot}}`],
    ['x̂', '尖帽', `\\hat{${slot}}`],
    ['|x|', '绝对值', `\\left|${slot}\\right|`],
    ['(x)', '随内容变高的括号', `\\left(${slot}\\right)`],
    ['{x}', '花括号', `\\left\\{${slot}\\right\\}`],
    ['∞', '无穷大', '\\infty'],
    ['×', '乘号', '\\times'],
    ['÷', '除号', '\\div'],
    ['·', '点乘', '\\cdot'],
    ['±', '正负号', '\\pm'],
    ['文', '公式里的文字', `\\text{${slot}}`],
  ),
  group(
    '运算',
    ['∑', '求和', `\\sum_{${slot}}^{${slot}}`],
    ['∏', '连乘', `\\prod_{${slot}}^{${slot}}`],
    ['∫', '不定积分', `\\int ${slot}\\,\\mathrm{d}x`],
    ['∫ₐᵇ', '定积分', `\\int_{${slot}}^{${slot}} ${slot}\\,\\mathrm{d}x`],
    ['lim', '极限', `\\lim_{${slot} \\to ${slot}}`],
    ['dy/dx', '导数', `\\frac{\\mathrm{d}${slot}}{\\mathrm{d}${slot}}`],
    ['∂', '偏导', '\\partial'],
    ['log', '对数', `\\log_{${slot}}`],
    ['ln', '自然对数', '\\ln'],
    ['lg', '常用对数', '\\lg'],
    ['sin', '正弦', '\\sin'],
    ['cos', '余弦', '\\cos'],
    ['tan', '正切', '\\tan'],
    ['max', '最大值', '\\max'],
    ['min', '最小值', '\\min'],
    ['Cₙᵐ', '组合数', `\\mathrm{C}_{${slot}}^{${slot}}`],
    ['⋯', '省略号', '\\cdots'],
  ),
  group(
    '矩阵和方程组',
    ['{=', '方程组', `\\begin{cases} ${slot} \\\\ ${slot} \\end{cases}`],
    ['{,', '分段函数', `\\begin{cases} ${slot}, & ${slot} \\\\ ${slot}, & ${slot} \\end{cases}`],
    ['(∷)', '两行两列的矩阵', matrix('pmatrix', `${slot} & ${slot}`)],
    ['(⁝⁝⁝)', '两行三列的矩阵', matrix('pmatrix', `${slot} & ${slot} & ${slot}`)],
    ['[∷]', '方括号矩阵', matrix('bmatrix', `${slot} & ${slot}`)],
    ['|∷|', '行列式', matrix('vmatrix', `${slot} & ${slot}`)],
    ['=⏎=', '按等号对齐的多行', `\\begin{aligned} ${slot} &= ${slot} \\\\ &= ${slot} \\end{aligned}`],
  ),
  greek,
  group(
    '关系和几何',
    ['≤', '小于等于', '\\le'],
    ['≥', '大于等于', '\\ge'],
    ['≠', '不等于', '\\ne'],
    ['≈', '约等于', '\\approx'],
    ['≡', '恒等于', '\\equiv'],
    ['∝', '正比于', '\\propto'],
    ['∽', '相似', '\\backsim'],
    ['≌', '全等', '\\cong'],
    ['⊥', '垂直', '\\perp'],
    ['∥', '平行', '\\parallel'],
    ['∠', '角', '\\angle'],
    ['△', '三角形', '\\triangle'],
    ['⊙', '圆', '\\odot'],
    ['A͡B', '弧', `\\overset{\\frown}{${slot}}`],
    ['∵', '因为', '\\because'],
    ['∴', '所以', '\\therefore'],
  ),
  group(
    '集合和逻辑',
    ['∈', '属于', '\\in'],
    ['∉', '不属于', '\\notin'],
    ['⊆', '包含于', '\\subseteq'],
    ['⫋', '真包含于', '\\subsetneqq'],
    ['∪', '并集', '\\cup'],
    ['∩', '交集', '\\cap'],
    ['∁', '补集', `\\complement_{${slot}}`],
    ['∅', '空集', '\\varnothing'],
    ['N', '自然数集', '\\mathbf{N}'],
    ['Z', '整数集', '\\mathbf{Z}'],
    ['Q', '有理数集', '\\mathbf{Q}'],
    ['R', '实数集', '\\mathbf{R}'],
    ['∀', '任意', '\\forall'],
    ['∃', '存在', '\\exists'],
    ['¬', '非', '\\neg'],
    ['∧', '且', '\\land'],
    ['∨', '或', '\\lor'],
  ),
  group(
    '箭头',
    ['→', '右箭头', '\\to'],
    ['←', '左箭头', '\\leftarrow'],
    ['↔', '左右箭头', '\\leftrightarrow'],
    ['⇒', '推出', '\\Rightarrow'],
    ['⇔', '等价', '\\Leftrightarrow'],
    ['↑', '上箭头', '\\uparrow'],
    ['↓', '下箭头', '\\downarrow'],
    ['x→', '上面有字的箭头', `\\xrightarrow{${slot}}`],
  ),
  group(
    '单位',
    ['°', '度', '^{\\circ}'],
    ['℃', '摄氏度', '\\text{℃}'],
    ['m/s', '米每秒', '\\,\\mathrm{m/s}'],
    ['m/s²', '米每二次方秒', '\\,\\mathrm{m/s^2}'],
    ['km/h', '千米每时', '\\,\\mathrm{km/h}'],
    ['kg/m³', '千克每立方米', '\\,\\mathrm{kg/m^3}'],
    ['N', '牛', '\\,\\mathrm{N}'],
    ['J', '焦', '\\,\\mathrm{J}'],
    ['Pa', '帕', '\\,\\mathrm{Pa}'],
    ['Ω', '欧', '\\,\\Omega'],
    ['mol/L', '摩尔每升', '\\,\\mathrm{mol/L}'],
    ['单位', '其他单位', `\\,\\mathrm{${slot}}`],
  ),
  group(
    '化学',
    ['H₂O', '化学式', `\\ce{${slot}}`],
    ['→', '反应方程式', `\\ce{${slot} -> ${slot}}`],
    ['点燃→', '写有条件的反应', `\\ce{${slot} ->[${slot}] ${slot}}`],
    ['=△=', '等号上写条件', `\\xlongequal{${slot}}`],
    ['⇌', '可逆反应', `\\ce{${slot} <=> ${slot}}`],
    ['↑', '气体', '\\uparrow'],
    ['↓', '沉淀', '\\downarrow'],
    ['SO₄²⁻', '离子', '\\ce{SO4^2-}'],
    ['ⁿₙX', '核素', `{}_{${slot}}^{${slot}}\\mathrm{${slot}}`],
  ),
];

/** Every entry once that begins with a command. */
export const commands: readonly PaletteEntry[] = palette
  .flatMap(({ entries }) => entries)
  .filter(({ latex }, index, all) => /^\\[a-z]/i.test(latex) && all.findIndex((one) => one.latex === latex) === index);
