"""Custom actions for the test of tools/rasatool against a real action server."""

from rasa_sdk import Action
from rasa_sdk.events import FollowupAction, SlotSet
from rasa_sdk.interfaces import ActionExecutionRejection

ORDERS = {"O-12345": ("shipped", 2), "O-67890": ("open", 1)}


class CheckOrder(Action):
    """Looks an order up by the slot order_id, as a project's action would."""

    def name(self):
        return "action_check_order"

    def run(self, dispatcher, tracker, domain):
        order = ORDERS.get(tracker.get_slot("order_id"))
        if order is None:
            dispatcher.utter_message(response="utter_unknown_order")
            return [SlotSet("order_status", None)]
        dispatcher.utter_message(text=f"It is {order[0]}.")
        return [
            SlotSet("order_status", order[0]),
            SlotSet("lines", order[1]),
            SlotSet("seen_sender", tracker.sender_id),
            FollowupAction("action_listen"),
        ]


class Reject(Action):
    """Declines, as a form does that cannot use what was said."""

    def name(self):
        return "action_reject"

    def run(self, dispatcher, tracker, domain):
        raise ActionExecutionRejection(self.name(), "CANARY-rejected")


class Crash(Action):
    """Has a bug."""

    def name(self):
        return "action_crash"

    def run(self, dispatcher, tracker, domain):
        raise ValueError("CANARY-crashed " + str(tracker.get_slot("order_id")))


class Describe(Action):
    """Reads what actions commonly read of a tracker."""

    def name(self):
        return "action_describe"

    def run(self, dispatcher, tracker, domain):
        return [
            SlotSet("intent", tracker.get_intent_of_latest_message()),
            SlotSet("entity", next(tracker.get_latest_entity_values("order_id"), None)),
            SlotSet("channel", tracker.get_latest_input_channel()),
            SlotSet("slots", tracker.current_slot_values()),
        ]
