package ecmascript_test

import (
	"fmt"
	"log"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/ecmascript"
	"github.com/detent-run/detent/statechart"
)

const order = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript" name="order">
  <datamodel>
    <data id="items" expr="[]"/>
  </datamodel>
  <script>
    function total() { return items.reduce((sum, item) => sum + item.price, 0); }
  </script>
  <state id="open">
    <transition event="add" cond="_event.data.price > 0">
      <assign location="items[items.length]" expr="_event.data"/>
    </transition>
    <transition event="pay" cond="_event.data.amount >= total()" target="paid"/>
  </state>
  <final id="paid"/>
</scxml>`

func Example() {
	// A program's main calls ecmascript.Main() first thing; here TestMain does.
	model := &ecmascript.DataModel{}
	defer model.Close()
	_, chart, err := scxml.Load("order.scxml", []byte(order), scxml.Options{
		DataModels: map[string]scxml.DataModel{"ecmascript": model},
	})
	if err != nil {
		log.Fatal(err)
	}
	session := chart.Instance(nil)
	session.Send(statechart.Event{Name: "add", Data: map[string]any{"name": "tea", "price": 4.5}})
	session.Send(statechart.Event{Name: "add", Data: map[string]any{"name": "air", "price": 0}})
	session.Send(statechart.Event{Name: "add", Data: map[string]any{"name": "cup", "price": 8}})
	fmt.Println(session.Data()[""]["items"])
	for _, amount := range []float64{12, 12.5} {
		session.Send(statechart.Event{Name: "pay", Data: map[string]any{"amount": amount}})
		fmt.Println(amount, session.Status())
	}
	// Output:
	// [map[name:tea price:4.5] map[name:cup price:8]]
	// 12 active
	// 12.5 completed
}
