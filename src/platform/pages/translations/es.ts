import type { Words } from './en.ts'

export const es: Words = {
  sandbox: 'Entorno de pruebas: no se mueve dinero',

  order: {
    items: 'Tu pedido',
    total: 'Total',
    number: 'Pedido',
    payment: 'Pago',
    payout: 'Abono',
    beneficiary: 'Para',
    paysYou: (merchant) => `${merchant} te paga`,
  },

  choose: {
    title: '¿Cómo quieres pagar?',
    oneWay: (method) => `Pagar con ${method}`,
    pay: (amount) => `Pagar ${amount}`,
    card: 'Datos de la tarjeta',
    cardBrands: (names) => `Tarjetas aceptadas: ${names}`,
    codeHint: '3 cifras; 4 en Amex',
    billing: 'Datos de facturación',
    details: 'Tus datos',
    pick: 'Elige',
    again: 'Puedes intentarlo de nuevo o pagar de otra forma.',
    fix: 'Revisa los campos marcados.',
    retype: 'Vuelve a escribir el número de tarjeta y el código de seguridad.',
    paying: 'Un momento…',
  },

  methods: {
    card: { name: 'Tarjeta', advice: '' },
    alipay: { name: 'Alipay', advice: 'Confirmas en Alipay y vuelves aquí.' },
    wechat: {
      name: 'WeChat Pay',
      advice: 'Pagas en la app de WeChat: escaneando un código o directamente en tu teléfono.',
    },
    unionpay: { name: 'UnionPay', advice: 'Confirmas en UnionPay y vuelves aquí.' },
    cash_app: { name: 'Cash App Pay', advice: 'Confirmas en Cash App y vuelves aquí.' },
    gcash: { name: 'GCash', advice: 'Recibes un código QR Ph para escanear con GCash.' },
    pix: { name: 'Pix', advice: 'Recibes un código QR y un código para pegar en la app de tu banco.' },
    spei: { name: 'Transferencia SPEI', advice: 'Recibes una CLABE para transferir desde tu banco.' },
    per_transfer: {
      name: 'Transferencia en Perú',
      advice: 'Recibes un CCI para transferir desde tu banco.',
    },
    sepa: { name: 'Transferencia SEPA', advice: 'Recibes un IBAN para transferir desde tu banco.' },
    vn_bank: {
      name: 'Banco vietnamita',
      advice: 'Pagas con VietQR o a una cuenta creada para este pedido.',
    },
    crypto: { name: 'Cripto', advice: 'Recibes una dirección y el importe exacto que debes enviar.' },
  },

  fields: {
    cardNo: 'Número de tarjeta',
    cardExpiry: 'Caduca (MM/AA)',
    cardSecurityCode: 'Código de seguridad',
    billingFirstName: 'Nombre',
    billingLastName: 'Apellidos',
    billingAddress1: 'Dirección',
    billingCity: 'Ciudad',
    billingState: 'Estado o provincia',
    billingCountry: 'País',
    billingZipCode: 'Código postal',
    billingPhone: 'Teléfono',
    billingEmail: 'Correo electrónico',
    email: 'Correo electrónico',
    name: 'Nombre completo',
    socialSecurityNumber: 'CPF o CNPJ',
    customerIdentificationType: 'Documento',
    customerIdentification: 'Número del documento',
    paymentMethodStr: 'Forma de pago',
    vaBankId: 'Banco',
    coin: 'Moneda',
    network: 'Red',
  },

  choices: {
    'customerIdentificationType.00': 'Documento de identidad (DNI)',
    'customerIdentificationType.01': 'Carné de extranjería (CE)',
    'customerIdentificationType.02': 'Número fiscal (RUC)',
    'customerIdentificationType.03': 'Pasaporte',
    'paymentMethodStr.qrcode': 'Código QR (VietQR)',
    'paymentMethodStr.va': 'Transferencia a una cuenta propia del pedido',
    'network.ERC20': 'Ethereum (ERC-20)',
    'network.POLYGON': 'Polygon',
    'beneficiaryType.individual': 'Una persona',
    'beneficiaryType.business': 'Una empresa',
    'accountType.00': 'Cuenta corriente',
    'accountType.01': 'Cuenta de ahorros',
  },

  problems: {
    missing: 'Rellena este campo',
    tooLong: 'Es demasiado largo o tiene caracteres no admitidos',
    notListed: 'Elige una opción de la lista',
    invalid: 'Revísalo: no parece correcto',
    cardNumber: 'Revisa el número de tarjeta: hay una cifra mal o falta alguna',
    cardBrand: 'Esta tienda no acepta este tipo de tarjeta',
    expiry: 'Escribe mes y año, por ejemplo 08/29',
    expired: 'Esta tarjeta ha caducado',
    securityCode: 'Escribe las tres cifras del reverso de la tarjeta',
    securityCodeInFront: 'Escribe las cuatro cifras del anverso de la tarjeta',
    email: 'Escribe un correo, por ejemplo nombre@example.com',
    taxNumber: 'Revisa el CPF o CNPJ: hay una cifra mal o falta alguna',
    document: 'El número no corresponde a ese tipo de documento',
    network: 'Esta moneda no se acepta en esta red',
    bankCodeMissing: 'Un número de cuenta necesita el BIC de su banco',
    bankCode: 'Esto no es un BIC',
    account: 'Revisa la cuenta: hay una cifra mal o falta alguna',
  },

  notices: {
    stale: 'Este pago siguió en otra pestaña o ventana. Así está ahora.',
    tooManyAttempts: 'Hubo demasiados intentos. Espera unos minutos o paga de otra forma.',
    unavailable: 'Esta forma de pago no está disponible ahora. Elige otra.',
    limit: 'Este importe no se puede pagar de esta forma. Elige otra.',
    unreachable: 'No se puede contactar con el banco ahora. Inténtalo en un momento.',
  },

  reasons: {
    declined: 'Tu banco o monedero lo rechazó. No se te cobró nada.',
    insufficientFunds: 'No hay saldo suficiente. No se te cobró nada.',
    expiredCard: 'La tarjeta ha caducado. No se te cobró nada.',
    securityCode: 'El código de seguridad no es correcto. No se te cobró nada.',
    notConfirmed: 'Tu banco no pudo confirmar que eras tú. No se te cobró nada.',
    cancelled: 'Se canceló. No se te cobró nada.',
    expired: 'Se acabó el tiempo para pagar. No se te cobró nada.',
    unavailable: 'No se pudo iniciar el pago. No se te cobró nada.',
  },

  challenge: {
    title: 'Confirma tu pago',
    heading: 'Tu banco quiere saber que eres tú',
    text: 'Confirma el pago en la página de tu banco. Después vuelves aquí.',
    button: 'Continuar a tu banco',
    frame: 'Página de tu banco',
    back: 'Volver al pago',
    empty: '¿No aparece la página de tu banco?',
    instead: 'Abrirla en esta ventana',
    open: {
      heading: 'Tu banco aún no ha confirmado el pago',
      text: 'El pago sigue abierto. Continúa a tu banco para confirmarlo.',
    },
  },

  redirect: {
    advice: (wallet) => `Confirmas con ${wallet} y vuelves aquí.`,
    heading: (method) => `Continuar con ${method}`,
    text: 'Confirma allí el pago. Después vuelves aquí.',
    button: (method) => `Continuar a ${method}`,
  },

  qr: {
    title: (method) => `Pagar con ${method}`,
    heading: 'Escanea para pagar',
    picture: 'Código QR de este pago',
    scanWith: {
      pix: 'Abre la app de tu banco, elige Pix y escanea el código o pégalo.',
      gcash: 'Abre GCash, elige QR y escanea el código.',
      wechat: 'Abre WeChat, elige Escanear y escanea el código.',
      vn_bank: 'Abre la app de tu banco y escanea el código VietQR.',
      other: 'Abre la app de tu banco o monedero y escanea el código.',
    },
    openApp: 'Abrir la app',
    copyCode: 'Copiar el código',
  },

  transfer: {
    title: 'Transfiere el dinero',
    heading: 'Transfiere desde tu banco',
    text: 'Transfiere exactamente este importe a esta cuenta, por app, en línea o en ventanilla.',
    reference: 'Escribe esta referencia en la transferencia: así sabemos que el dinero es tuyo.',
    scan: 'O escanea esto con la app de tu banco',
    leave: 'Puedes cerrar esta página. La tienda se entera sola cuando llega el dinero.',
  },

  labels: {
    amount: 'Importe',
    payee: 'Beneficiario',
    bank: 'Banco',
    reference: 'Referencia',
    account: 'Cuenta',
    va: 'Número de cuenta',
    address: 'Dirección',
    network: 'Red',
    coinAmount: 'Importe que debes enviar',
  },

  crypto: {
    title: (coin) => `Pagar con ${coin}`,
    heading: (coin) => `Envía ${coin}`,
    warning: (coin, network) =>
      `Envía solo ${coin} y solo por ${network}. Lo que se envíe por otra red o en otra moneda se pierde.`,
    exact: 'Envía exactamente este importe. Tu monedero puede sumar una comisión de red.',
    seen: 'Hemos visto tu transferencia',
    confirmations: (seen, needed) => `${seen} de ${needed} confirmaciones`,
  },

  copy: { button: 'Copiar', done: 'Copiado', named: (label) => `Copiar: ${label}` },

  time: {
    left: (time) => `Tiempo restante: ${time}`,
    until: (moment) => `Paga antes del ${moment}`,
    over: 'Se acabó el tiempo para pagar. Si ya pagaste, no se pierde nada: aquí verás el resultado.',
  },

  part: {
    heading: 'Ha llegado una parte del dinero',
    text: (came, missing) => `Llegaron ${came} y faltan ${missing}. Envía el resto de la misma forma.`,
  },

  waiting: {
    title: 'Pago en curso',
    heading: 'Esperamos la respuesta',
    text: 'Estamos preguntando si el pago se realizó. Esta página cambia sola.',
    leave: 'Puedes salir de esta página: no se te cobra dos veces y la tienda conocerá el resultado.',
    forPayment: 'Esperamos tu pago. Esta página cambia sola.',
  },

  done: {
    title: 'Pago realizado',
    heading: 'Tu pago se realizó',
    text: 'Gracias. Ya puedes volver a la tienda.',
  },

  failed: { title: 'Pago no realizado', heading: 'El pago no se realizó' },

  cancelled: {
    title: 'Pago cancelado',
    heading: 'Este pago se canceló',
    text: 'No se te cobró nada.',
  },

  expired: {
    title: 'Pago caducado',
    heading: 'Este pago ha caducado',
    text: 'Se acabó el tiempo para pagar y no se te cobró nada. Si aun así enviaste dinero, consulta a la tienda.',
  },

  ways: {
    another: 'Pagar de otra forma',
    cancel: 'Cancelar y volver a la tienda',
    back: 'Volver a la tienda',
    backIn: (seconds) => `Vuelves a la tienda en ${seconds} s.`,
    stay: 'Quedarme en esta página',
    close: 'Cerrar',
  },

  cashier: {
    title: 'Pago',
    go: 'Continuar al pago',
    refused: 'No se inició el pago',
    retry: 'Vuelve a la tienda e inténtalo de nuevo.',
  },

  missing: {
    title: 'Página no encontrada',
    heading: 'Esta página de pago no existe',
    text: 'El enlace está incompleto o es demasiado antiguo. Vuelve a la tienda y empieza el pago de nuevo.',
  },

  offline: {
    heading: 'No había conexión',
    text: 'No se ha enviado nada. Revisa tu conexión e inténtalo de nuevo.',
    button: 'Intentar de nuevo',
  },

  busy: 'Esta página se cargó demasiadas veces. Vuelve a cargarla en un minuto: no se pierde nada.',

  broken: {
    title: 'Algo salió mal',
    heading: 'Algo salió mal por nuestra parte',
    text: 'Vuelve a cargar esta página en un momento. Si ya confirmaste el pago, la tienda conocerá el resultado.',
  },

  payout: {
    title: 'Recibe tu dinero',
    heading: '¿Adónde enviamos el dinero?',
    button: (amount) => `Recibir ${amount}`,
    kinds: {
      card: 'Tarjeta',
      bank_account: 'Cuenta bancaria',
      pix: 'Pix',
      per_transfer: 'Cuenta bancaria en Perú',
      spei: 'Cuenta bancaria en México',
    },
    accounts: {
      card: 'Número de tarjeta',
      bank_account: 'IBAN o número de cuenta',
      pix: 'Clave Pix',
      per_transfer: 'CCI',
      spei: 'CLABE',
    },
    fields: {
      bankCode: 'BIC (código SWIFT)',
      beneficiaryType: 'La cuenta es de',
      addressLine: 'Dirección',
      city: 'Ciudad',
      countryCode: 'País',
      accountType: 'Tipo de cuenta',
    },
    hints: {
      bankCode: 'No hace falta con un IBAN',
      pix: 'CPF, CNPJ, correo, teléfono o clave aleatoria',
      per_transfer: '20 cifras',
      spei: '18 cifras',
    },
    way: { title: 'En camino', heading: 'Tu dinero está en camino' },
    wayTo: (end) => `Va a la cuenta que termina en ${end}. Esta página cambia sola.`,
    leave: 'Puedes salir de esta página: no tienes que hacer nada más.',
    sent: { title: 'Pagado', heading: 'Tu dinero se envió' },
    sentTo: (end) => `Fue a la cuenta que termina en ${end}.`,
    failed: { title: 'No pagado', heading: 'No se pudo enviar el dinero' },
    sendAgain: (merchant) => `${merchant} lo sabe y puede enviarlo de nuevo.`,
    goTo: (merchant) => `Ir a ${merchant}`,
    missing: {
      title: 'Página no encontrada',
      heading: 'Esta página de abono no existe',
      text: 'El enlace está incompleto o es demasiado antiguo. Pide uno nuevo a quien te lo envió.',
    },
    broken: 'Vuelve a cargar esta página en un momento. Nunca se te paga a dos cuentas ni dos veces.',
  },
  links: {
    amount: 'Importe a pagar',
    between: (least, most) => `De ${least} a ${most}`,
    atLeast: (least) => `Como mínimo ${least}`,
    atMost: (most) => `Como máximo ${most}`,
    again: 'Empezar de nuevo',
    cancel: 'Cancelar este pago',
    thanks: 'Gracias. Ya puede cerrar esta página.',
    missing: {
      heading: 'Este enlace de pago no existe',
      text: 'El enlace está incompleto. Pida el enlace completo a quien se lo envió.',
    },
    expired: {
      heading: 'Este enlace de pago ha caducado',
      text: (merchant) => `Pida uno nuevo a ${merchant}.`,
    },
    off: {
      heading: 'Este enlace de pago ya no está activo',
      text: (merchant) => `Pida uno nuevo a ${merchant}.`,
    },
    paid: {
      heading: 'Este enlace de pago ya se pagó',
      text: 'Solo se puede pagar una vez. No tiene que hacer nada más.',
    },
    unavailable: {
      heading: 'Este enlace no se puede pagar en este momento',
      text: (merchant) => `Inténtelo más tarde o pregunte a ${merchant}. No se le ha cobrado nada.`,
    },
    receipt: {
      title: 'Recibo',
      paidOn: 'Pagado el',
      method: 'Pagado con',
      refunded: 'Reembolsado',
      rest: 'Pagado tras los reembolsos',
      print: 'Imprimir',
      missing: {
        heading: 'Este recibo no existe',
        text: 'El enlace está incompleto o ha caducado. Pida uno nuevo a la tienda.',
      },
    },
  },
}
