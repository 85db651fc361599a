import type { Words } from './en.ts'

export const pt: Words = {
  sandbox: 'Ambiente de testes: nenhum dinheiro é movimentado',

  order: {
    items: 'Seu pedido',
    total: 'Total',
    number: 'Pedido',
    payment: 'Pagamento',
    payout: 'Repasse',
    beneficiary: 'Para',
    paysYou: (merchant) => `${merchant} paga a você`,
  },

  choose: {
    title: 'Como você quer pagar?',
    oneWay: (method) => `Pagar com ${method}`,
    pay: (amount) => `Pagar ${amount}`,
    card: 'Dados do cartão',
    cardBrands: (names) => `Cartões aceitos: ${names}`,
    codeHint: '3 dígitos; 4 no Amex',
    billing: 'Dados de cobrança',
    details: 'Seus dados',
    pick: 'Escolha',
    again: 'Você pode tentar de novo ou pagar de outra forma.',
    fix: 'Confira os campos marcados.',
    retype: 'Digite de novo o número do cartão e o código de segurança.',
    paying: 'Um momento…',
  },

  methods: {
    card: { name: 'Cartão', advice: '' },
    alipay: { name: 'Alipay', advice: 'Você confirma no Alipay e volta para cá.' },
    wechat: {
      name: 'WeChat Pay',
      advice: 'Você paga no app do WeChat: lendo um código ou direto no celular.',
    },
    unionpay: { name: 'UnionPay', advice: 'Você confirma na UnionPay e volta para cá.' },
    cash_app: { name: 'Cash App Pay', advice: 'Você confirma no Cash App e volta para cá.' },
    gcash: { name: 'GCash', advice: 'Você recebe um código QR Ph para ler com o GCash.' },
    pix: { name: 'Pix', advice: 'Você recebe um QR Code e o Pix Copia e Cola.' },
    spei: { name: 'Transferência SPEI', advice: 'Você recebe uma CLABE para transferir do seu banco.' },
    per_transfer: {
      name: 'Transferência no Peru',
      advice: 'Você recebe um CCI para transferir do seu banco.',
    },
    sepa: { name: 'Transferência SEPA', advice: 'Você recebe um IBAN para transferir do seu banco.' },
    vn_bank: {
      name: 'Banco vietnamita',
      advice: 'Você paga por VietQR ou para uma conta criada para este pedido.',
    },
    crypto: { name: 'Cripto', advice: 'Você recebe um endereço e o valor exato a enviar.' },
  },

  fields: {
    cardNo: 'Número do cartão',
    cardExpiry: 'Validade (MM/AA)',
    cardSecurityCode: 'Código de segurança',
    billingFirstName: 'Nome',
    billingLastName: 'Sobrenome',
    billingAddress1: 'Endereço',
    billingCity: 'Cidade',
    billingState: 'Estado ou região',
    billingCountry: 'País',
    billingZipCode: 'CEP ou código postal',
    billingPhone: 'Telefone',
    billingEmail: 'E-mail',
    email: 'E-mail',
    name: 'Nome completo',
    socialSecurityNumber: 'CPF ou CNPJ',
    customerIdentificationType: 'Documento',
    customerIdentification: 'Número do documento',
    paymentMethodStr: 'Forma de pagamento',
    vaBankId: 'Banco',
    coin: 'Moeda',
    network: 'Rede',
  },

  choices: {
    'customerIdentificationType.00': 'Documento de identidade (DNI)',
    'customerIdentificationType.01': 'Carteira de estrangeiro (CE)',
    'customerIdentificationType.02': 'Número fiscal (RUC)',
    'customerIdentificationType.03': 'Passaporte',
    'paymentMethodStr.qrcode': 'QR Code (VietQR)',
    'paymentMethodStr.va': 'Transferência para uma conta do pedido',
    'network.ERC20': 'Ethereum (ERC-20)',
    'network.POLYGON': 'Polygon',
    'beneficiaryType.individual': 'Uma pessoa',
    'beneficiaryType.business': 'Uma empresa',
    'accountType.00': 'Conta corrente',
    'accountType.01': 'Conta poupança',
  },

  problems: {
    missing: 'Preencha este campo',
    tooLong: 'Está longo demais ou tem caracteres não aceitos',
    notListed: 'Escolha uma opção da lista',
    invalid: 'Confira: não parece correto',
    cardNumber: 'Confira o número do cartão: há um dígito errado ou faltando',
    cardBrand: 'Esta loja não aceita este tipo de cartão',
    expiry: 'Digite mês e ano, por exemplo 08/29',
    expired: 'Este cartão está vencido',
    securityCode: 'Digite os três dígitos do verso do cartão',
    securityCodeInFront: 'Digite os quatro dígitos da frente do cartão',
    email: 'Digite um e-mail, por exemplo nome@example.com',
    taxNumber: 'Confira o CPF ou CNPJ: há um dígito errado ou faltando',
    document: 'O número não corresponde ao tipo de documento',
    network: 'Esta moeda não é aceita nesta rede',
    bankCodeMissing: 'Um número de conta precisa do BIC do banco',
    bankCode: 'Isto não é um BIC',
    account: 'Confira a conta: há um dígito errado ou faltando',
  },

  notices: {
    stale: 'Este pagamento continuou em outra aba ou janela. Veja como ele está agora.',
    tooManyAttempts: 'Houve tentativas demais. Espere alguns minutos ou pague de outra forma.',
    unavailable: 'Esta forma de pagamento não está disponível agora. Escolha outra.',
    limit: 'Este valor não pode ser pago desta forma. Escolha outra.',
    unreachable: 'Não foi possível falar com o banco agora. Tente de novo em instantes.',
  },

  reasons: {
    declined: 'Seu banco ou carteira recusou. Nada foi cobrado.',
    insufficientFunds: 'Não há saldo suficiente. Nada foi cobrado.',
    expiredCard: 'O cartão está vencido. Nada foi cobrado.',
    securityCode: 'O código de segurança não está certo. Nada foi cobrado.',
    notConfirmed: 'Seu banco não conseguiu confirmar que era você. Nada foi cobrado.',
    cancelled: 'Foi cancelado. Nada foi cobrado.',
    expired: 'O tempo para pagar acabou. Nada foi cobrado.',
    unavailable: 'Não foi possível iniciar o pagamento. Nada foi cobrado.',
  },

  challenge: {
    title: 'Confirme seu pagamento',
    heading: 'Seu banco quer saber se é você mesmo',
    text: 'Confirme o pagamento na página do seu banco. Depois você volta para cá.',
    button: 'Continuar para o seu banco',
    frame: 'Página do seu banco',
    back: 'Voltar ao pagamento',
    empty: 'A página do seu banco não aparece?',
    instead: 'Abrir nesta janela',
    open: {
      heading: 'Seu banco ainda não confirmou o pagamento',
      text: 'O pagamento continua aberto. Continue para o seu banco para confirmá-lo.',
    },
  },

  redirect: {
    advice: (wallet) => `Você confirma com o ${wallet} e volta para cá.`,
    heading: (method) => `Continuar com ${method}`,
    text: 'Confirme o pagamento lá. Depois você volta para cá.',
    button: (method) => `Continuar para ${method}`,
  },

  qr: {
    title: (method) => `Pagar com ${method}`,
    heading: 'Leia o código para pagar',
    picture: 'QR Code deste pagamento',
    scanWith: {
      pix: 'Abra o app do seu banco, escolha Pix e leia o QR Code ou use o Copia e Cola.',
      gcash: 'Abra o GCash, escolha QR e leia o código.',
      wechat: 'Abra o WeChat, escolha Ler código e leia o código.',
      vn_bank: 'Abra o app do seu banco e leia o código VietQR.',
      other: 'Abra o app do seu banco ou carteira e leia o código.',
    },
    openApp: 'Abrir o app',
    copyCode: 'Copiar o código',
  },

  transfer: {
    title: 'Transfira o dinheiro',
    heading: 'Transfira do seu banco',
    text: 'Transfira exatamente este valor para esta conta, pelo app, pela internet ou na agência.',
    reference: 'Escreva esta referência na transferência: é assim que sabemos que o dinheiro é seu.',
    scan: 'Ou leia isto com o app do seu banco',
    leave: 'Você pode fechar esta página. A loja fica sabendo quando o dinheiro chegar.',
  },

  labels: {
    amount: 'Valor',
    payee: 'Favorecido',
    bank: 'Banco',
    reference: 'Referência',
    account: 'Conta',
    va: 'Número da conta',
    address: 'Endereço',
    network: 'Rede',
    coinAmount: 'Valor a enviar',
  },

  crypto: {
    title: (coin) => `Pagar com ${coin}`,
    heading: (coin) => `Envie ${coin}`,
    warning: (coin, network) =>
      `Envie somente ${coin} e somente pela rede ${network}. O que for enviado por outra rede ou em outra moeda se perde.`,
    exact: 'Envie exatamente este valor. Sua carteira pode somar uma taxa de rede.',
    seen: 'Sua transferência foi vista',
    confirmations: (seen, needed) => `${seen} de ${needed} confirmações`,
  },

  copy: { button: 'Copiar', done: 'Copiado', named: (label) => `Copiar: ${label}` },

  time: {
    left: (time) => `Tempo restante: ${time}`,
    until: (moment) => `Pague até ${moment}`,
    over: 'O tempo para pagar acabou. Se você já pagou, nada se perde: o resultado aparece aqui.',
  },

  part: {
    heading: 'Uma parte do dinheiro chegou',
    text: (came, missing) => `Chegaram ${came} e faltam ${missing}. Envie o restante da mesma forma.`,
  },

  waiting: {
    title: 'Pagamento em andamento',
    heading: 'Estamos esperando a resposta',
    text: 'Estamos perguntando se o pagamento foi concluído. Esta página muda sozinha.',
    leave: 'Você pode sair desta página: não há cobrança em dobro e a loja fica sabendo do resultado.',
    forPayment: 'Esperando seu pagamento. Esta página muda sozinha.',
  },

  done: {
    title: 'Pagamento concluído',
    heading: 'Seu pagamento foi concluído',
    text: 'Obrigado. Você já pode voltar para a loja.',
  },

  failed: { title: 'Pagamento não concluído', heading: 'Seu pagamento não foi concluído' },

  cancelled: {
    title: 'Pagamento cancelado',
    heading: 'Este pagamento foi cancelado',
    text: 'Nada foi cobrado.',
  },

  expired: {
    title: 'Pagamento expirado',
    heading: 'Este pagamento expirou',
    text: 'O tempo para pagar acabou e nada foi cobrado. Se mesmo assim você enviou dinheiro, fale com a loja.',
  },

  ways: {
    another: 'Pagar de outra forma',
    cancel: 'Cancelar e voltar para a loja',
    back: 'Voltar para a loja',
    backIn: (seconds) => `Você volta para a loja em ${seconds} s.`,
    stay: 'Ficar nesta página',
    close: 'Fechar',
  },

  cashier: {
    title: 'Pagamento',
    go: 'Continuar para o pagamento',
    refused: 'O pagamento não foi iniciado',
    retry: 'Volte para a loja e tente de novo.',
  },

  missing: {
    title: 'Página não encontrada',
    heading: 'Esta página de pagamento não existe',
    text: 'O link está incompleto ou é antigo demais. Volte para a loja e comece o pagamento de novo.',
  },

  offline: {
    heading: 'Não havia conexão',
    text: 'Nada foi enviado. Confira sua conexão e tente de novo.',
    button: 'Tentar de novo',
  },

  busy: 'Esta página foi carregada vezes demais. Recarregue em um minuto: nada se perde.',

  broken: {
    title: 'Algo deu errado',
    heading: 'Algo deu errado do nosso lado',
    text: 'Recarregue esta página em instantes. Se você já confirmou o pagamento, a loja fica sabendo do resultado.',
  },

  payout: {
    title: 'Receba seu dinheiro',
    heading: 'Para onde vai o dinheiro?',
    button: (amount) => `Receber ${amount}`,
    kinds: {
      card: 'Cartão',
      bank_account: 'Conta bancária',
      pix: 'Pix',
      per_transfer: 'Conta bancária no Peru',
      spei: 'Conta bancária no México',
    },
    accounts: {
      card: 'Número do cartão',
      bank_account: 'IBAN ou número da conta',
      pix: 'Chave Pix',
      per_transfer: 'CCI',
      spei: 'CLABE',
    },
    fields: {
      bankCode: 'BIC (código SWIFT)',
      beneficiaryType: 'A conta pertence a',
      addressLine: 'Endereço',
      city: 'Cidade',
      countryCode: 'País',
      accountType: 'Tipo de conta',
    },
    hints: {
      bankCode: 'Não é preciso com um IBAN',
      pix: 'CPF, CNPJ, e-mail, telefone ou chave aleatória',
      per_transfer: '20 dígitos',
      spei: '18 dígitos',
    },
    way: { title: 'A caminho', heading: 'Seu dinheiro está a caminho' },
    wayTo: (end) => `Ele vai para a conta com final ${end}. Esta página muda sozinha.`,
    leave: 'Você pode sair desta página: não precisa fazer mais nada.',
    sent: { title: 'Pago', heading: 'Seu dinheiro foi enviado' },
    sentTo: (end) => `Ele foi para a conta com final ${end}.`,
    failed: { title: 'Não pago', heading: 'Não foi possível enviar o dinheiro' },
    sendAgain: (merchant) => `${merchant} já sabe e pode enviar de novo.`,
    goTo: (merchant) => `Ir para ${merchant}`,
    missing: {
      title: 'Página não encontrada',
      heading: 'Esta página de repasse não existe',
      text: 'O link está incompleto ou é antigo demais. Peça um novo a quem enviou.',
    },
    broken: 'Recarregue esta página em instantes. Você nunca recebe em duas contas nem em dobro.',
  },
  links: {
    amount: 'Valor a pagar',
    between: (least, most) => `De ${least} a ${most}`,
    atLeast: (least) => `No mínimo ${least}`,
    atMost: (most) => `No máximo ${most}`,
    again: 'Começar de novo',
    cancel: 'Cancelar este pagamento',
    thanks: 'Obrigado. Você já pode fechar esta página.',
    missing: {
      heading: 'Este link de pagamento não existe',
      text: 'O link está incompleto. Peça o link completo a quem o enviou.',
    },
    expired: {
      heading: 'Este link de pagamento expirou',
      text: (merchant) => `Peça um novo a ${merchant}.`,
    },
    off: {
      heading: 'Este link de pagamento não está mais ativo',
      text: (merchant) => `Peça um novo a ${merchant}.`,
    },
    paid: {
      heading: 'Este link de pagamento já foi pago',
      text: 'Ele só pode ser pago uma vez. Você não precisa fazer mais nada.',
    },
    unavailable: {
      heading: 'Este link não pode ser pago agora',
      text: (merchant) => `Tente mais tarde ou fale com ${merchant}. Nada foi cobrado.`,
    },
    receipt: {
      title: 'Recibo',
      paidOn: 'Pago em',
      method: 'Pago com',
      refunded: 'Reembolsado',
      rest: 'Pago após reembolsos',
      print: 'Imprimir',
      missing: {
        heading: 'Este recibo não existe',
        text: 'O link está incompleto ou expirou. Peça um novo à loja.',
      },
    },
  },
}
