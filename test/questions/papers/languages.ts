/** Papers of English and Chinese: texts with numbered blanks, listening, readings, dictation, compositions. */
import { type WrittenPaper, writtenPapers } from './written.ts';

const written: readonly WrittenPaper[] = [
  {
    name: '英语七选五，空在短文里，答案按题号连写',
    text: `第二节（共5小题；每小题2.5分，满分12.5分）
阅读下面短文，从短文后的选项中选出可以填入空白处的最佳选项。选项中有两项为多余选项。
Living with a pet is good for you. __36__ Dogs need a walk every day, so their owners walk too. __37__
Pets also help people to make friends. __38__ In a park, two dogs often meet before their owners do. __39__
Of course, a pet costs time and money. __40__
A. People talk to each other about their animals.
B. It keeps you fit.
C. Cats sleep all day.
D. Think twice before you buy one.
E. Walking is good for the heart.
F. Birds sing in the morning.
G. Children like them too.
参考答案
36—40 BEAGD`,
    expected: `
6@12.5 阅读下面短文，从短文后的选项中选出可以填入空白处的最佳选项。选项中有两项为多余选项。
  Living with a pet is good for you. __36__ Dogs need a walk every day, so their owners walk too. __37__
  Pets also help people to make friends. __38__ In a park, two dogs often meet before their owners do. __39__
  Of course, a pet costs time and money. __40__
  1 36. | People talk to each other about their animals. | It keeps you fit. | Cats sleep all day. | Think twice before you buy one. | Walking is good for the heart. | Birds sing in the morning. | Children like them too. = B
  1 37. | ? | ? | ? | ? | ? | ? | ? = E
  1 38. | ? | ? | ? | ? | ? | ? | ? = A
  1 39. | ? | ? | ? | ? | ? | ? | ? = G
  1 40. | ? | ? | ? | ? | ? | ? | ? = D`,
  },
  {
    name: '英语完形填空，每空一行选项',
    text: `完形填空（共4小题；每小题1.5分，满分6分）
阅读下面短文，从短文后各题所给的A、B、C和D四个选项中，选出可以填入空白处的最佳选项。
Last summer I went to the mountains with my father. We got up __1__ and took the first bus. The weather was __2__, so we could see very far. At noon we sat down and __3__ our bread. My father told me a story about his childhood. I will __4__ forget that day.
1. A. late\tB. early\tC. alone\tD. slowly
2. A. fine\tB. bad\tC. cold\tD. wet
3. A. sold\tB. lost\tC. ate\tD. made
4. A. ever\tB. often\tC. always\tD. never
答案：1-4 BACD`,
    expected: `
6@6 阅读下面短文，从短文后各题所给的A、B、C和D四个选项中，选出可以填入空白处的最佳选项。
  Last summer I went to the mountains with my father. We got up __1__ and took the first bus. The weather was __2__, so we could see very far. At noon we sat down and __3__ our bread. My father told me a story about his childhood. I will __4__ forget that day.
  1 1. | late | early | alone | slowly = B
  1 2. | fine | bad | cold | wet = A
  1 3. | sold | lost | ate | made = C
  1 4. | ever | often | always | never = D`,
  },
  {
    name: '英语语法填空，答案逐条',
    text: `第三部分 语言运用（共两节，满分30分）
第二节（共5小题；每小题1.5分，满分7.5分）
阅读下面短文，在空白处填入1个适当的单词或括号内单词的正确形式。
Tea is one of __56__ most popular drinks in the world. It __57__ (discover) in China thousands of years ago. At first people used it as a medicine, __58__ later they began to drink it for pleasure. Today, people from many countries enjoy __59__ (drink) tea. It is good __60__ health.
参考答案
56. the  57. was discovered  58. but  59. drinking  60. for`,
    expected: `
6@7.5 阅读下面短文，在空白处填入1个适当的单词或括号内单词的正确形式。
  Tea is one of __56__ most popular drinks in the world. It __57__ (discover) in China thousands of years ago. At first people used it as a medicine, __58__ later they began to drink it for pleasure. Today, people from many countries enjoy __59__ (drink) tea. It is good __60__ health.
  7 56. = the
  7 57. = was discovered
  7 58. = but
  7 59. = drinking
  7 60. = for`,
  },
  {
    name: '英语试卷：完形、语法填空、短文改错、书面表达',
    text: `第二节 完形填空（共3小题；每小题2分，满分6分）
阅读下面短文，掌握其大意，然后从各题所给的四个选项中选出最佳选项。
It was raining when I __21__ home. My umbrella was broken, so I ran to a shop and __22__ a new one. The man in the shop was very kind. He __23__ me a cup of hot tea.
21. A. left B. painted C. built D. sold
22. A. bought B. broke C. found D. lost
23. A. refused B. gave C. showed D. asked
第三节 短文改错（共10小题；每小题1分，满分10分）
假定英语课上老师要求同桌之间交换修改作文，请你修改你同桌写的以下作文。文中共有10处语言错误。
I am glad to hear from you. My school life are busy now. I have many friend here and we often plays together after class.
第四节 书面表达（满分25分）
假定你是李华，你校将举办艺术节。请你给外教Jim写信邀请他参加，内容包括：
1. 时间和地点；
2. 活动内容。
注意：1. 词数100左右；2. 可以适当增加细节。
参考答案
21—23 AAB
短文改错
1. are改为is
2. friend改为friends
3. plays改为play`,
    expected: `
6@6 阅读下面短文，掌握其大意，然后从各题所给的四个选项中选出最佳选项。
  It was raining when I __21__ home. My umbrella was broken, so I ran to a shop and __22__ a new one. The man in the shop was very kind. He __23__ me a cup of hot tea.
  1 21. | left | painted | built | sold = A
  1 22. | bought | broke | found | lost = A
  1 23. | refused | gave | showed | asked = B
5@10 假定英语课上老师要求同桌之间交换修改作文，请你修改你同桌写的以下作文。文中共有10处语言错误。I am glad to hear from you. My school life are busy now. I have many friend here and we often plays together after class. = 1. are改为is2. friend改为friends3. plays改为play
5@25 假定你是李华，你校将举办艺术节。请你给外教Jim写信邀请他参加，内容包括：1. 时间和地点；2. 活动内容。注意：1. 词数100左右；2. 可以适当增加细节。 = `,
  },
  {
    name: '英语听力：一段对话两三个小题',
    text: `第一部分 听力（共两节，满分30分）
第一节（共2小题；每小题1.5分，满分3分）
听下面2段对话。每段对话后有一个小题，从题中所给的A、B、C三个选项中选出最佳选项。
1. What does the man want?
A. Tea.\tB. Coffee.\tC. Water.
2. Where is the station?
A. Near the park.\tB. Near the bank.\tC. Near the school.
第二节（共5小题；每小题1.5分，满分7.5分）
听下面2段对话或独白。每段对话或独白后有几个小题。
听第3段材料，回答第3、4题。
3. What are the speakers talking about?
A. A film.\tB. A book.\tC. A trip.
4. What will they do next?
A. Buy tickets.\tB. Go home.\tC. Call a friend.
听第4段材料，回答第5至7题。
5. Who is the speaker?
A. A guide.\tB. A teacher.\tC. A student.
6. When does the bus leave?
A. At 7:30.\tB. At 8:00.\tC. At 8:30.
7. What should people take?
A. Food.\tB. Water.\tC. A map.
听力答案：1-5 BACAA  6-7 BC`,
    expected: `
1@1.5 What does the man want? | Tea. | Coffee. | Water. = B
1@1.5 Where is the station? | Near the park. | Near the bank. | Near the school. = A
6@3 听第3段材料，回答第3、4题。
  1 What are the speakers talking about? | A film. | A book. | A trip. = C
  1 What will they do next? | Buy tickets. | Go home. | Call a friend. = A
6@4.5 听第4段材料，回答第5至7题。
  1 Who is the speaker? | A guide. | A teacher. | A student. = A
  1 When does the bus leave? | At 7:30. | At 8:00. | At 8:30. = B
  1 What should people take? | Food. | Water. | A map. = C`,
  },
  {
    name: '英语阅读四篇，题号前有括号',
    text: `四、阅读理解（每小题2分，共8分）
A
Tom lives in a small house near a river. Every Sunday he goes fishing with his uncle. They seldom catch anything big, but they are happy.
( )31. What does Tom do on Sundays?
A. He swims. B. He goes fishing. C. He reads.
( )32. Who goes with Tom?
A. His uncle. B. His father. C. His friend.
B
Welcome to our museum! Open: 9 a.m. to 5 p.m. Closed on Mondays. Children under 6 come in free. No photos, please.
( )33. When is the museum closed?
A. On Sundays. B. On Mondays. C. On Fridays.
( )34. Who can come in free?
A. Teachers. B. A child of 5. C. Students.
Keys:
四、31-34 BABB`,
    expected: `
6@4 A Tom lives in a small house near a river. Every Sunday he goes fishing with his uncle. They seldom catch anything big, but they are happy.
  1 What does Tom do on Sundays? | He swims. | He goes fishing. | He reads. = B
  1 Who goes with Tom? | His uncle. | His father. | His friend. = A
6@4 B Welcome to our museum! Open: 9 a.m. to 5 p.m. Closed on Mondays. Children under 6 come in free. No photos, please.
  1 When is the museum closed? | On Sundays. | On Mondays. | On Fridays. = B
  1 Who can come in free? | Teachers. | A child of 5. | Students. = B`,
  },
  {
    name: '英语补全对话，方框里的选项',
    text: `五、补全对话（从方框中选出恰当的选项，每小题1分）
A: Hello! Can I help you?
B: Yes, please. __41__
A: What size do you want? B: __42__
A: How about this one? B: It looks nice. __43__
A: It's 50 yuan. B: __44__
|A. I'll take it. B. How much is it? C. I want a shirt. D. Size M. E. Goodbye.|
参考答案
五、41. C 42. D 43. B 44. A`,
    expected: `
6@4 A: Hello! Can I help you?
  B: Yes, please. __41__
  A: What size do you want? B: __42__
  A: How about this one? B: It looks nice. __43__
  A: It's 50 yuan. B: __44__
  1 41. | I'll take it. | How much is it? | I want a shirt. | Size M. | Goodbye. = C
  1 42. | ? | ? | ? | ? | ? = D
  1 43. | ? | ? | ? | ? | ? = B
  1 44. | ? | ? | ? | ? | ? = A`,
  },
  {
    name: '英语选词填空，方框里的词',
    text: `三、选词填空（用方框中所给词的适当形式填空，每空2分）
|happy|run|child|
Look! The __1__ are playing in the park. They __2__ very fast and look __3__.
答案：三、1. children 2. run 3. happy`,
    expected: `
6@6 *
  7 1. = children
  7 2. = run
  7 3. = happy`,
  },
  {
    name: '英语语法填空，空是下划线里的题号',
    text: `二、语法填空
Yesterday was <u>  1  </u> (I) birthday. My parents <u>  2  </u> (give) me a bike. I was so excited <u>  3  </u> I rode it at once.
参考答案：
二、语法填空
1．my
2．gave
3．that`,
    expected: `
6 Yesterday was 1 (I) birthday. My parents 2 (give) me a bike. I was so excited 3 I rode it at once.
  7 1. = my
  7 2. = gave
  7 3. = that`,
  },
  {
    name: '英语短文填空，空前带括号的题号，答案另一个文件',
    text: `六、短文填空（每空一词）
My name is Li Lei. I am a student (51)______ Class Two. I get up at six (52)______ the morning. My mother cooks breakfast (53)______ me.`,
    key: `英语答案
六、短文填空
51. in  52. in  53. for`,
    expected: `
6 My name is Li Lei. I am a student (51)______ Class Two. I get up at six (52)______ the morning. My mother cooks breakfast (53)______ me.
  7 51. = in
  7 52. = in
  7 53. = for`,
  },
  {
    name: '语文现代文阅读，分值在括号里，答案在卷末',
    text: `三、阅读下面文章，完成8～10题。（12分）
父亲的伞
那年秋天，雨下得很大。父亲打着一把旧伞来学校接我，伞总是偏向我这一边。
多年以后，我才明白那把伞的重量。
8．文章以“父亲的伞”为题，有什么作用？（4分）
9．请赏析画线句“伞总是偏向我这一边”。（4分）
10．结合全文，谈谈你对最后一句话的理解。（4分）
参考答案：
8．（4分）①全文的线索；②点明中心。
9．（4分）细节描写，写出父亲的爱。
10．（4分）示例：父爱深沉而厚重。`,
    expected: `
6@12 *
  5 文章以“父亲的伞”为题，有什么作用？ = *
  5 请赏析画线句“伞总是偏向我这一边”。 = *
  5 结合全文，谈谈你对最后一句话的理解。 = *`,
  },
  {
    name: '语文文言文，小题是（1）（2），翻译句子',
    text: `二、文言文阅读（10分）
阅读下面的文言文，完成5～7题。
陈康肃公尧咨善射，当世无双，公亦以此自矜。尝射于家圃，有卖油翁释担而立，睨之，久而不去。
5．解释下列句中加点词的意思。（4分）
（1）公亦以此自矜（　　　　）
（2）有卖油翁释担而立（　　　　）
6．下列句子中“之”的用法与“睨之”相同的一项是（3分）
A．学而时习之
B．何陋之有
C．辍耕之垄上
D．孔子云：何陋之有
7．把“久而不去”翻译成现代汉语。（3分）
【答案】
5．（1）夸耀（2）放下
6．A
7．很久都没有离开。`,
    expected: `
6@10 陈康肃公尧咨善射，当世无双，公亦以此自矜。尝射于家圃，有卖油翁释担而立，睨之，久而不去。
  7 解释下列句中加点词的意思。（1）公亦以此自矜（　　　　）（2）有卖油翁释担而立（　　　　） = 夸耀；放下
  1 下列句子中“之”的用法与“睨之”相同的一项是 | 学而时习之 | 何陋之有 | 辍耕之垄上 | 孔子云：何陋之有 = A
  5 把“久而不去”翻译成现代汉语。 = 很久都没有离开。`,
  },
  {
    name: '语文默写，每空1分，答案用分号',
    text: `一、默写（每空1分，共4分）
1．____________，为有源头活水来。（朱熹《观书有感》）
2．《陋室铭》中写陋室环境清幽的句子是：__________，__________。
3．采菊东篱下，__________。
参考答案
一、1．问渠那得清如许
2．苔痕上阶绿；草色入帘青
3．悠然见南山`,
    expected: `
7@1 ____________，为有源头活水来。（朱熹《观书有感》） = 问渠那得清如许
7@2 《陋室铭》中写陋室环境清幽的句子是：__________，__________。 = 苔痕上阶绿；草色入帘青
7@1 采菊东篱下，__________。 = 悠然见南山`,
  },
  {
    name: '语文看图作文，一大题没有题号',
    text: `一、选择题（每题3分）
1．下列词语书写正确的一项是（　　）
A．按步就班　B．再接再厉　C．谈笑风声　D．一愁莫展
四、作文（50分）
阅读下面的漫画材料，按要求作文。
{pic}
要求：自选角度，自拟题目；不少于600字。
参考答案
1．B
四、作文
略`,
    expected: `
1@3 下列词语书写正确的一项是（　　） | 按步就班 | 再接再厉 | 谈笑风声 | 一愁莫展 = B
5@50 阅读下面的漫画材料，按要求作文。要求：自选角度，自拟题目；不少于600字。 = 略`,
  },
  {
    name: '语文综合性学习，答案紧跟小题',
    text: `5．班级开展“走近科技”活动，请完成任务。（6分）
（1）请为活动拟一条宣传标语。（2分）
答案：示例：科技点亮未来。
（2）请写出两项活动内容。（4分）
答案：参观科技馆；举办讲座。
6．名著阅读。（4分）
《西游记》中，孙悟空的兵器是____，他的师父是____。
答案：金箍棒；唐僧`,
    expected: `
6@6 班级开展“走近科技”活动，请完成任务。
  5 请为活动拟一条宣传标语。 = 示例：科技点亮未来。
  5 请写出两项活动内容。 = 参观科技馆；举办讲座。
7@4 名著阅读。《西游记》中，孙悟空的兵器是____，他的师父是____。 = 金箍棒；唐僧`,
  },
];

export const languagePapers = writtenPapers(written);
