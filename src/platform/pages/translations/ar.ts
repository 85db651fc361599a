import type { Words } from './en.ts'

export const ar: Words = {
  sandbox: 'بيئة تجريبية: لا تُنقل أي أموال',

  order: {
    items: 'طلبك',
    total: 'الإجمالي',
    number: 'الطلب',
    payment: 'الدفعة',
    payout: 'الحوالة',
    beneficiary: 'إلى',
    paysYou: (merchant) => `${merchant} يدفع لك`,
  },

  choose: {
    title: 'كيف تود الدفع؟',
    oneWay: (method) => `الدفع عبر ${method}`,
    pay: (amount) => `ادفع ${amount}`,
    card: 'بيانات البطاقة',
    cardBrands: (names) => `البطاقات المقبولة: ${names}`,
    codeHint: '3 أرقام أو 4 (Amex)',
    billing: 'بيانات الفوترة',
    details: 'بياناتك',
    pick: 'اختر',
    again: 'يمكنك المحاولة مرة أخرى أو الدفع بطريقة أخرى.',
    fix: 'يرجى مراجعة الحقول المحددة.',
    retype: 'أدخل رقم البطاقة ورمز الأمان مرة أخرى.',
    paying: 'لحظة من فضلك…',
  },

  methods: {
    card: { name: 'بطاقة', advice: '' },
    alipay: { name: 'Alipay', advice: 'تؤكد الدفع لدى Alipay ثم تعود إلى هنا.' },
    wechat: { name: 'WeChat Pay', advice: 'تدفع في تطبيق WeChat: بمسح رمز، أو على هاتفك مباشرة.' },
    unionpay: { name: 'UnionPay', advice: 'تؤكد الدفع لدى UnionPay ثم تعود إلى هنا.' },
    cash_app: { name: 'Cash App Pay', advice: 'تؤكد الدفع في Cash App ثم تعود إلى هنا.' },
    gcash: { name: 'GCash', advice: 'تحصل على رمز QR Ph تمسحه بتطبيق GCash.' },
    pix: { name: 'Pix', advice: 'تحصل على رمز QR ورمز تلصقه في تطبيق مصرفك.' },
    spei: { name: 'تحويل SPEI', advice: 'تحصل على رقم CLABE للتحويل إليه من مصرفك.' },
    per_transfer: { name: 'تحويل مصرفي في بيرو', advice: 'تحصل على رقم CCI للتحويل إليه من مصرفك.' },
    sepa: { name: 'تحويل SEPA', advice: 'تحصل على رقم IBAN للتحويل إليه من مصرفك.' },
    vn_bank: { name: 'مصرف فيتنامي', advice: 'تدفع عبر VietQR أو إلى حساب مخصص لهذا الطلب.' },
    crypto: { name: 'عملة رقمية', advice: 'تحصل على عنوان وعلى المبلغ الدقيق المطلوب إرساله.' },
  },

  fields: {
    cardNo: 'رقم البطاقة',
    cardExpiry: 'تاريخ الانتهاء (شهر/سنة)',
    cardSecurityCode: 'رمز الأمان',
    billingFirstName: 'الاسم الأول',
    billingLastName: 'اسم العائلة',
    billingAddress1: 'العنوان',
    billingCity: 'المدينة',
    billingState: 'الولاية أو المنطقة',
    billingCountry: 'البلد',
    billingZipCode: 'الرمز البريدي',
    billingPhone: 'الهاتف',
    billingEmail: 'البريد الإلكتروني',
    email: 'البريد الإلكتروني',
    name: 'الاسم الكامل',
    socialSecurityNumber: 'رقم CPF أو CNPJ',
    customerIdentificationType: 'الوثيقة',
    customerIdentification: 'رقم الوثيقة',
    paymentMethodStr: 'طريقة الدفع',
    vaBankId: 'المصرف',
    coin: 'العملة',
    network: 'الشبكة',
  },

  choices: {
    'customerIdentificationType.00': 'بطاقة هوية (DNI)',
    'customerIdentificationType.01': 'بطاقة أجنبي (CE)',
    'customerIdentificationType.02': 'رقم ضريبي (RUC)',
    'customerIdentificationType.03': 'جواز سفر',
    'paymentMethodStr.qrcode': 'رمز QR ‏(VietQR)',
    'paymentMethodStr.va': 'تحويل إلى حساب مخصص',
    'network.ERC20': 'إيثيريوم (ERC-20)',
    'network.POLYGON': 'Polygon',
    'beneficiaryType.individual': 'شخص',
    'beneficiaryType.business': 'شركة',
    'accountType.00': 'حساب جارٍ',
    'accountType.01': 'حساب توفير',
  },

  problems: {
    missing: 'يرجى ملء هذا الحقل',
    tooLong: 'النص طويل جدًا أو فيه أحرف غير مقبولة',
    notListed: 'اختر من القائمة',
    invalid: 'يرجى المراجعة: يبدو أن هناك خطأ',
    cardNumber: 'راجع رقم البطاقة: هناك رقم خاطئ أو ناقص',
    cardBrand: 'لا يقبل هذا المتجر هذا النوع من البطاقات',
    expiry: 'أدخل الشهر والسنة، مثل 08/29',
    expired: 'انتهت صلاحية هذه البطاقة',
    securityCode: 'أدخل الأرقام الثلاثة على ظهر البطاقة',
    securityCodeInFront: 'أدخل الأرقام الأربعة على وجه البطاقة',
    email: 'أدخل بريدًا إلكترونيًا، مثل name@example.com',
    taxNumber: 'راجع رقم CPF أو CNPJ: هناك رقم خاطئ أو ناقص',
    document: 'الرقم لا يناسب نوع الوثيقة',
    network: 'هذه العملة غير مقبولة على هذه الشبكة',
    bankCodeMissing: 'رقم الحساب يحتاج إلى رمز BIC للمصرف',
    bankCode: 'هذا ليس رمز BIC',
    account: 'راجع الحساب: هناك رقم خاطئ أو ناقص',
  },

  notices: {
    stale: 'استمرت هذه الدفعة في علامة تبويب أو نافذة أخرى. هذا وضعها الآن.',
    tooManyAttempts: 'كانت هناك محاولات كثيرة. انتظر بضع دقائق أو ادفع بطريقة أخرى.',
    unavailable: 'طريقة الدفع هذه غير متاحة الآن. يرجى اختيار طريقة أخرى.',
    limit: 'لا يمكن دفع هذا المبلغ بهذه الطريقة. يرجى اختيار طريقة أخرى.',
    unreachable: 'لا يمكن الوصول إلى المصرف الآن. حاول بعد لحظات.',
  },

  reasons: {
    declined: 'رفضها مصرفك أو محفظتك. لم يُخصم منك شيء.',
    insufficientFunds: 'الرصيد غير كافٍ. لم يُخصم منك شيء.',
    expiredCard: 'انتهت صلاحية البطاقة. لم يُخصم منك شيء.',
    securityCode: 'رمز الأمان غير صحيح. لم يُخصم منك شيء.',
    notConfirmed: 'لم يتمكن مصرفك من التأكد من هويتك. لم يُخصم منك شيء.',
    cancelled: 'أُلغيت العملية. لم يُخصم منك شيء.',
    expired: 'انتهى وقت الدفع. لم يُخصم منك شيء.',
    unavailable: 'تعذر بدء عملية الدفع. لم يُخصم منك شيء.',
  },

  challenge: {
    title: 'أكد الدفع',
    heading: 'يريد مصرفك التأكد من هويتك',
    text: 'أكد الدفع في صفحة مصرفك. ستعود إلى هنا بعد ذلك.',
    button: 'المتابعة إلى مصرفك',
    frame: 'صفحة مصرفك',
    back: 'العودة إلى الدفع',
    empty: 'ألا تظهر صفحة مصرفك؟',
    instead: 'افتحها في هذه النافذة',
    open: {
      heading: 'لم يؤكد مصرفك الدفع بعد',
      text: 'ما زال الدفع مفتوحا. تابع إلى مصرفك لتأكيده.',
    },
  },

  redirect: {
    advice: (wallet) => `تؤكد الدفع عبر ${wallet} ثم تعود إلى هنا.`,
    heading: (method) => `المتابعة عبر ${method}`,
    text: 'أكد الدفع هناك. ستعود إلى هنا بعد ذلك.',
    button: (method) => `المتابعة إلى ${method}`,
  },

  qr: {
    title: (method) => `الدفع عبر ${method}`,
    heading: 'امسح الرمز للدفع',
    picture: 'رمز QR لهذه الدفعة',
    scanWith: {
      pix: 'افتح تطبيق مصرفك واختر Pix ثم امسح الرمز أو الصقه.',
      gcash: 'افتح GCash واختر QR ثم امسح الرمز.',
      wechat: 'افتح WeChat واختر المسح ثم امسح الرمز.',
      vn_bank: 'افتح تطبيق مصرفك وامسح رمز VietQR.',
      other: 'افتح تطبيق مصرفك أو محفظتك وامسح الرمز.',
    },
    openApp: 'فتح التطبيق',
    copyCode: 'نسخ الرمز',
  },

  transfer: {
    title: 'حوّل المبلغ',
    heading: 'حوّل من مصرفك',
    text: 'حوّل هذا المبلغ بالضبط إلى هذا الحساب، عبر التطبيق أو الإنترنت أو في الفرع.',
    reference: 'اكتب هذا المرجع في التحويل: به نعرف أن المال منك.',
    scan: 'أو امسح هذا بتطبيق مصرفك',
    leave: 'يمكنك إغلاق هذه الصفحة. يعلم المتجر تلقائيًا عند وصول المال.',
  },

  labels: {
    amount: 'المبلغ',
    payee: 'المستفيد',
    bank: 'المصرف',
    reference: 'المرجع',
    account: 'الحساب',
    va: 'رقم الحساب',
    address: 'العنوان',
    network: 'الشبكة',
    coinAmount: 'المبلغ المطلوب إرساله',
  },

  crypto: {
    title: (coin) => `الدفع بعملة ${coin}`,
    heading: (coin) => `أرسل ${coin}`,
    warning: (coin, network) =>
      `أرسل ${coin} فقط وعلى شبكة ${network} فقط. ما يُرسل على شبكة أخرى أو بعملة أخرى يضيع.`,
    exact: 'أرسل هذا المبلغ بالضبط. قد تضيف محفظتك رسوم الشبكة.',
    seen: 'ظهر تحويلك',
    confirmations: (seen, needed) => `${seen} من ${needed} تأكيدات`,
  },

  copy: { button: 'نسخ', done: 'تم النسخ', named: (label) => `نسخ: ${label}` },

  time: {
    left: (time) => `الوقت المتبقي: ${time}`,
    until: (moment) => `ادفع قبل ${moment}`,
    over: 'انتهى وقت الدفع. إذا كنت قد دفعت فلن يضيع شيء: ستظهر النتيجة هنا.',
  },

  part: {
    heading: 'وصل جزء من المال',
    text: (came, missing) => `وصل ${came} وما زال ينقص ${missing}. أرسل الباقي بالطريقة نفسها.`,
  },

  waiting: {
    title: 'الدفع جارٍ',
    heading: 'ننتظر الرد',
    text: 'نسأل عما إذا تمت عملية الدفع. تتغير هذه الصفحة تلقائيًا.',
    leave: 'يمكنك المغادرة بأمان: لن يُخصم منك مرتين، وسيعلم المتجر بالنتيجة.',
    forPayment: 'ننتظر دفعتك. تتغير هذه الصفحة تلقائيًا.',
  },

  done: {
    title: 'تم الدفع بنجاح',
    heading: 'تمت عملية الدفع',
    text: 'شكرًا لك. يمكنك الآن العودة إلى المتجر.',
  },

  failed: { title: 'لم يتم الدفع', heading: 'لم تتم عملية الدفع' },

  cancelled: {
    title: 'أُلغي الدفع',
    heading: 'أُلغيت هذه الدفعة',
    text: 'لم يُخصم منك شيء.',
  },

  expired: {
    title: 'انتهت مهلة الدفع',
    heading: 'انتهت مهلة هذه الدفعة',
    text: 'انتهى وقت الدفع ولم يُخصم منك شيء. إذا أرسلت المال رغم ذلك فتواصل مع المتجر.',
  },

  ways: {
    another: 'الدفع بطريقة أخرى',
    cancel: 'الإلغاء والعودة إلى المتجر',
    back: 'العودة إلى المتجر',
    backIn: (seconds) => `تعود إلى المتجر خلال ${seconds} ث.`,
    stay: 'البقاء في هذه الصفحة',
    close: 'إغلاق',
  },

  cashier: {
    title: 'الدفع',
    go: 'المتابعة إلى الدفع',
    refused: 'لم يبدأ الدفع',
    retry: 'عد إلى المتجر وحاول مرة أخرى.',
  },

  missing: {
    title: 'الصفحة غير موجودة',
    heading: 'صفحة الدفع هذه غير موجودة',
    text: 'الرابط ناقص أو قديم جدًا. عد إلى المتجر وابدأ الدفع من جديد.',
  },

  offline: {
    heading: 'لم يكن هناك اتصال بالإنترنت',
    text: 'لم يُرسل أي شيء. تحقق من اتصالك ثم حاول مرة أخرى.',
    button: 'حاول مرة أخرى',
  },

  busy: 'حُمّلت هذه الصفحة مرات كثيرة جدًا. أعد تحميلها بعد دقيقة: لن يضيع شيء.',

  broken: {
    title: 'حدث خطأ',
    heading: 'حدث خطأ من جانبنا',
    text: 'أعد تحميل هذه الصفحة بعد لحظات. إذا كنت قد أكدت الدفع فسيعلم المتجر بالنتيجة.',
  },

  payout: {
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
  },
  links: {
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
  },
}
