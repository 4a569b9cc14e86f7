/** Where the standard has a name of its own that differs from the field's. */
export const standardNames: Readonly<Record<string, string>> = {
  window: 'window',
  longMessage: 'UDH, sar_*, message_payload',
  defaultAlphabet: 'data_coding 0',
  bindMode: 'bind_*',
  enquireLinkMs: 'enquire_link',
  vaspId: 'VASPID',
  vasId: 'VASID',
  serviceCode: 'ServiceCode',
  deliveryReport: 'DeliveryReport',
  acknowledgement: 'MM4_forward.RES',
};
