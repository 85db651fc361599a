import type { PayoutWords } from './en.ts'

export const arPayouts: PayoutWords = {
  title: 'استلم أموالك',
  heading: 'إلى أين نرسل المال؟',
  button: (amount) => `استلام ${amount}`,
  kinds: {
    card: 'بطاقة',
    bank_account: 'حساب مصرفي',
    pix: 'Pix',
    per_transfer: 'حساب مصرفي في بيرو',
    spei: 'حساب مصرفي في المكسيك',
  },
  accounts: {
    card: 'رقم البطاقة',
    bank_account: 'رقم IBAN أو رقم الحساب',
    pix: 'مفتاح Pix',
    per_transfer: 'CCI',
    spei: 'CLABE',
  },
  fields: {
    bankCode: 'BIC (رمز SWIFT)',
    beneficiaryType: 'صاحب الحساب',
    addressLine: 'العنوان',
    city: 'المدينة',
    countryCode: 'البلد',
    accountType: 'نوع الحساب',
  },
  hints: {
    bankCode: 'غير مطلوب مع رقم IBAN',
    pix: 'CPF أو CNPJ أو بريد إلكتروني أو هاتف أو مفتاح عشوائي',
    per_transfer: '20 رقمًا',
    spei: '18 رقمًا',
  },
  way: { title: 'في الطريق', heading: 'أموالك في الطريق' },
  wayTo: (end) => `تذهب إلى الحساب الذي ينتهي بـ ${end}. تتغير هذه الصفحة تلقائيًا.`,
  leave: 'يمكنك المغادرة بأمان: لا يلزمك فعل شيء آخر.',
  sent: { title: 'تم الدفع', heading: 'أُرسلت أموالك' },
  sentTo: (end) => `ذهبت إلى الحساب الذي ينتهي بـ ${end}.`,
  failed: { title: 'لم يُدفع', heading: 'تعذر إرسال المال' },
  sendAgain: (merchant) => `يعلم ${merchant} بذلك ويمكنه إرسال المال من جديد.`,
  goTo: (merchant) => `الذهاب إلى ${merchant}`,
  missing: {
    title: 'الصفحة غير موجودة',
    heading: 'صفحة الاستلام هذه غير موجودة',
    text: 'الرابط ناقص أو قديم جدًا. اطلب رابطًا جديدًا ممن أرسله إليك.',
  },
  broken: 'أعد تحميل هذه الصفحة بعد لحظات. لا يُدفع لك أبدًا إلى حسابين ولا مرتين.',
}
