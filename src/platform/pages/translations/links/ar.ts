import type { LinkWords } from './en.ts'

export const arLinks: LinkWords = {
  amount: 'المبلغ المطلوب دفعه',
  between: (least, most) => `من ${least} إلى ${most}`,
  atLeast: (least) => `${least} على الأقل`,
  atMost: (most) => `${most} على الأكثر`,
  again: 'ابدأ من جديد',
  cancel: 'إلغاء هذه الدفعة',
  thanks: 'شكرًا لك. يمكنك إغلاق هذه الصفحة.',
  missing: {
    heading: 'رابط الدفع هذا غير موجود',
    text: 'الرابط غير مكتمل. اطلب الرابط الكامل من المرسل.',
  },
  expired: {
    heading: 'انتهت صلاحية رابط الدفع هذا',
    text: (merchant) => `اطلب رابطًا جديدًا من ${merchant}.`,
  },
  off: {
    heading: 'رابط الدفع هذا لم يعد فعالًا',
    text: (merchant) => `اطلب رابطًا جديدًا من ${merchant}.`,
  },
  paid: {
    heading: 'تم الدفع عبر هذا الرابط من قبل',
    text: 'يمكن الدفع عبره مرة واحدة فقط. لا يلزمك فعل أي شيء آخر.',
  },
  unavailable: {
    heading: 'لا يمكن الدفع عبر هذا الرابط الآن',
    text: (merchant) => `حاول لاحقًا أو تواصل مع ${merchant}. لم يتم خصم أي مبلغ.`,
  },
  receipt: {
    title: 'إيصال',
    paidOn: 'تاريخ الدفع',
    method: 'طريقة الدفع',
    refunded: 'المبلغ المسترد',
    rest: 'المدفوع بعد الاسترداد',
    print: 'طباعة',
    missing: {
      heading: 'هذا الإيصال غير موجود',
      text: 'الرابط غير مكتمل أو انتهت صلاحيته. اطلب رابطًا جديدًا من المتجر.',
    },
  },
}
